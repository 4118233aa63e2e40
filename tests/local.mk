# SPDX-License-Identifier: BSD-2-Clause
#
# Tests speak TAP.  A C test is tests/unit-NAME.c and becomes
# tests/unit-NAME.t; a
# shell test is tests/NAME.t.  Both run under `make check' and `prove'.

TEST_EXTENSIONS = .t
T_LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) \
	$(top_srcdir)/build-aux/tap-driver.sh
AM_TESTS_ENVIRONMENT = \
	top_srcdir='$(abs_top_srcdir)' top_builddir='$(abs_top_builddir)' \
	LONG='$(LONG)'; export top_srcdir top_builddir LONG;

EXTRA_DIST += %D%/tap.h

check_PROGRAMS += %D%/unit-urlkey.t
TESTS += %D%/unit-urlkey.t
%C%_unit_urlkey_t_SOURCES = %D%/unit-urlkey.c
%C%_unit_urlkey_t_LDADD = $(DEDUP_LIBS)
