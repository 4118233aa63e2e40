# SPDX-License-Identifier: BSD-2-Clause

EXTRA_PROGRAMS += %D%/extractspeed
%C%_extractspeed_SOURCES = %D%/extractspeed.c
%C%_extractspeed_CPPFLAGS = $(AM_CPPFLAGS) $(XML2_CFLAGS)
%C%_extractspeed_LDADD = $(CRAWLER_LIBS)

EXTRA_DIST += %D%/crawlers.sh
EXTRA_DIST += %D%/links.mjs
EXTRA_DIST += %D%/links.sh
EXTRA_DIST += %D%/million.sh
EXTRA_DIST += %D%/tarpits.sh
EXTRA_DIST += %D%/peers.sh
EXTRA_DIST += %D%/billion.sh
EXTRA_DIST += %D%/memory.sh
EXTRA_DIST += %D%/rates.sh

EXTRA_PROGRAMS += %D%/fetchfloor
%C%_fetchfloor_SOURCES = %D%/fetchfloor.c
%C%_fetchfloor_CPPFLAGS = $(AM_CPPFLAGS) $(CURL_CFLAGS) $(XML2_CFLAGS)
%C%_fetchfloor_LDADD = $(CURL_LIBS) $(XML2_LIBS)

EXTRA_PROGRAMS += %D%/workerspeed
%C%_workerspeed_SOURCES = %D%/workerspeed.c
%C%_workerspeed_SOURCES += %D%/pageserver.c %D%/pageserver.h
%C%_workerspeed_CPPFLAGS = $(AM_CPPFLAGS) $(CURL_CFLAGS)
%C%_workerspeed_LDADD = $(CRAWLER_LIBS)
EXTRA_PROGRAMS += %D%/urlspeed
%C%_urlspeed_SOURCES = %D%/urlspeed.c
%C%_urlspeed_CPPFLAGS = $(AM_CPPFLAGS) $(CURL_CFLAGS)
%C%_urlspeed_LDADD = $(CRAWLER_LIBS)

EXTRA_PROGRAMS += %D%/floor
%C%_floor_SOURCES = %D%/floor.c
EXTRA_PROGRAMS += %D%/frontier-sim
%C%_frontier_sim_SOURCES = %D%/frontier-sim.c %D%/simurl.c %D%/simurl.h
%C%_frontier_sim_LDADD = $(FRONTIER_LIBS) -lm
EXTRA_PROGRAMS += %D%/journalsize
%C%_journalsize_SOURCES = %D%/journalsize.c
%C%_journalsize_LDADD = $(SNAPSHOT_LIBS)
EXTRA_DIST += %D%/soak.sh
EXTRA_DIST += %D%/plot.sh %D%/plots/speed.svg %D%/plots/rate.svg
EXTRA_PROGRAMS += %D%/archivedict
%C%_archivedict_SOURCES = %D%/archivedict.c
%C%_archivedict_CPPFLAGS = $(AM_CPPFLAGS) $(ZLIB_CFLAGS)
%C%_archivedict_LDADD = $(CRAWLER_LIBS)
