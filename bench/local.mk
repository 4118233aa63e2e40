# SPDX-License-Identifier: BSD-2-Clause

EXTRA_PROGRAMS += %D%/extractspeed
%C%_extractspeed_SOURCES = %D%/extractspeed.c
%C%_extractspeed_CPPFLAGS = $(AM_CPPFLAGS) $(XML2_CFLAGS)
%C%_extractspeed_LDADD = $(CRAWLER_LIBS)

EXTRA_DIST += %D%/peers.sh
