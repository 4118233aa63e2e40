# SPDX-License-Identifier: BSD-2-Clause
#
# What makes shells complete our options: printed by the programs, so that it
# can't lag behind them.  Not where they can't run here.

bashcompdir = $(datarootdir)/bash-completion/completions
zshcompdir = $(datarootdir)/zsh/site-functions
fishcompdir = $(datarootdir)/fish/vendor_completions.d

if RUNNABLE
nodist_bashcomp_DATA = %D%/urlseen %D%/crawl
nodist_zshcomp_DATA = %D%/_urlseen %D%/_crawl
nodist_fishcomp_DATA = %D%/urlseen.fish %D%/crawl.fish
CLEANFILES += $(nodist_bashcomp_DATA) $(nodist_zshcomp_DATA) \
	$(nodist_fishcomp_DATA)
endif

COMPLETION = $(AM_V_GEN)$(MKDIR_P) %D% && prog=$(@F) && \
	prog=$${prog\#_} && prog=$${prog%.fish} && ./$$prog$(EXEEXT)

%D%/urlseen: urlseen$(EXEEXT)
	$(COMPLETION) --completion=bash >$@.t && mv $@.t $@
%D%/crawl: crawl$(EXEEXT)
	$(COMPLETION) --completion=bash >$@.t && mv $@.t $@
%D%/_urlseen: urlseen$(EXEEXT)
	$(COMPLETION) --completion=zsh >$@.t && mv $@.t $@
%D%/_crawl: crawl$(EXEEXT)
	$(COMPLETION) --completion=zsh >$@.t && mv $@.t $@
%D%/urlseen.fish: urlseen$(EXEEXT)
	$(COMPLETION) --completion=fish >$@.t && mv $@.t $@
%D%/crawl.fish: crawl$(EXEEXT)
	$(COMPLETION) --completion=fish >$@.t && mv $@.t $@
