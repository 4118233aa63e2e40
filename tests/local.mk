# SPDX-License-Identifier: BSD-2-Clause
#
# Tests speak TAP.  A C test is tests/unit-NAME.c and becomes
# tests/unit-NAME.t; a shell test is tests/NAME.t and sources tests/tap.sh.
# Both run under `make check' and `prove'.

TEST_EXTENSIONS = .t
T_LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) \
	$(top_srcdir)/build-aux/tap-driver.sh
AM_TESTS_ENVIRONMENT = \
	top_srcdir='$(abs_top_srcdir)' top_builddir='$(abs_top_builddir)' \
	LONG='$(LONG)'; export top_srcdir top_builddir LONG;

EXTRA_DIST += %D%/tap.h %D%/keys.h
EXTRA_DIST += %D%/membuf.h
EXTRA_DIST += %D%/tap.h %D%/tap.sh

check_PROGRAMS += %D%/unit-urlkey.t
TESTS += %D%/unit-urlkey.t
%C%_unit_urlkey_t_SOURCES = %D%/unit-urlkey.c
%C%_unit_urlkey_t_LDADD = $(DEDUP_LIBS)

# A fuzz target is tests/fuzz-NAME.c, its corpus the folder tests/corpus/NAME
# (and its dictionary NAME.dict beside it): tests/fuzz-replay.t runs them all.
# One stanza each:
#
#	check_PROGRAMS += %D%/fuzz-NAME
#	%C%_fuzz_NAME_SOURCES = %D%/fuzz-NAME.c $(FUZZ_MAIN)
#	%C%_fuzz_NAME_LDFLAGS = $(FUZZ_LINK)
#	%C%_fuzz_NAME_LDADD = $(DEDUP_LIBS)
if FUZZING
FUZZ_MAIN = %D%/fuzz.h
FUZZ_LINK = $(AM_LDFLAGS) -fsanitize=fuzzer
AM_CFLAGS += -fsanitize=fuzzer-no-link
else
FUZZ_MAIN = %D%/fuzz-main.c %D%/fuzz.h
FUZZ_LINK = $(AM_LDFLAGS)
endif
AM_TESTS_ENVIRONMENT += FUZZING=; export FUZZING;
if FUZZING
AM_TESTS_ENVIRONMENT += FUZZING=yes; export FUZZING;
endif

EXTRA_DIST += %D%/corpus %D%/fuzz-main.c
dist_check_SCRIPTS += %D%/fuzz-replay.t %D%/fuzz-self.t
TESTS += %D%/fuzz-replay.t %D%/fuzz-self.t

check_PROGRAMS += %D%/fuzz-self
%C%_fuzz_self_SOURCES = %D%/fuzz-self.c $(FUZZ_MAIN)
%C%_fuzz_self_LDFLAGS = $(FUZZ_LINK)

EXTRA_DIST += %D%/data/robots.tsv
check_PROGRAMS += %D%/rows-robots
%C%_rows_robots_SOURCES = %D%/rows-robots.c
%C%_rows_robots_LDADD = $(CRAWLER_LIBS)
dist_check_SCRIPTS += %D%/robots.t %D%/robots-suite.t
TESTS += %D%/robots.t %D%/robots-suite.t
check_PROGRAMS += %D%/unit-robots.t
TESTS += %D%/unit-robots.t
%C%_unit_robots_t_SOURCES = %D%/unit-robots.c
%C%_unit_robots_t_LDADD = crawler/libcrawler.a
check_PROGRAMS += %D%/fuzz-robots
%C%_fuzz_robots_SOURCES = %D%/fuzz-robots.c $(FUZZ_MAIN)
%C%_fuzz_robots_LDFLAGS = $(FUZZ_LINK)
%C%_fuzz_robots_LDADD = crawler/libcrawler.a
check_PROGRAMS += %D%/fuzz-url
%C%_fuzz_url_SOURCES = %D%/fuzz-url.c $(FUZZ_MAIN)
%C%_fuzz_url_LDFLAGS = $(FUZZ_LINK)
%C%_fuzz_url_LDADD = $(DEDUP_LIBS)
# A web of our own for the crawler's tests, and the judge of its log.
check_PROGRAMS += %D%/testweb %D%/weblog-check %D%/webref
dist_check_SCRIPTS += %D%/testweb.t
EXTRA_DIST += %D%/data/site %D%/data/site.urls
TESTS += %D%/testweb.t
%C%_testweb_SOURCES = %D%/testweb.c \
	%D%/web.c %D%/web.h \
	%D%/webanswer.c %D%/webanswer.h \
	%D%/webbuf.c %D%/webbuf.h \
	%D%/webcoding.c %D%/webcoding.h \
	%D%/webconn.c %D%/webconn.h \
	%D%/webcount.c %D%/webcount.h \
	%D%/webhttp.c %D%/webhttp.h \
	%D%/weblog.c %D%/weblog.h \
	%D%/webmet.c %D%/webmet.h \
	%D%/webpage.c %D%/webpage.h \
	%D%/webpages.c %D%/webpages.h \
	%D%/webphantom.c %D%/webphantom.h \
	%D%/webreply.c %D%/webreply.h \
	%D%/webrobots.c %D%/webrobots.h \
	%D%/webrow.c %D%/webrow.h \
	%D%/webserve.c %D%/webserve.h \
	%D%/website.c %D%/website.h \
	%D%/webspell.c %D%/webspell.h \
	%D%/webtimer.c %D%/webtimer.h \
	%D%/webtruth.c %D%/webtruth.h \
	%D%/webzone.c %D%/webzone.h \
	%D%/webmap.c %D%/webmeta.c %D%/webodd.c %D%/webredirect.c \
	%D%/webrules.c %D%/webslow.c
%C%_testweb_LDADD = $(ZLIB_LIBS) $(ZSTD_LIBS) -lbrotlienc
%C%_weblog_check_SOURCES = %D%/weblog-check.c \
	%D%/webtable.c %D%/webtable.h
check_PROGRAMS += %D%/unit-webrules.t
TESTS += %D%/unit-webrules.t
%C%_unit_webrules_t_SOURCES = %D%/unit-webrules.c %D%/webbuf.c %D%/webrules.c
%C%_unit_webrules_t_LDADD = crawler/libcrawler.a
%C%_webref_SOURCES = %D%/webref.c
EXTRA_DIST += %D%/tsv.h
EXTRA_DIST += %D%/pieces.h
EXTRA_DIST += %D%/data/url.tsv
check_PROGRAMS += %D%/unit-url.t
TESTS += %D%/unit-url.t
%C%_unit_url_t_SOURCES = %D%/unit-url.c
%C%_unit_url_t_LDADD = $(DEDUP_LIBS)
check_PROGRAMS += %D%/unit-urlspell.t
TESTS += %D%/unit-urlspell.t
%C%_unit_urlspell_t_SOURCES = %D%/unit-urlspell.c
%C%_unit_urlspell_t_LDADD = $(DEDUP_LIBS)
check_PROGRAMS += %D%/unit-urlidna.t
TESTS += %D%/unit-urlidna.t
%C%_unit_urlidna_t_SOURCES = %D%/unit-urlidna.c
%C%_unit_urlidna_t_CPPFLAGS = $(AM_CPPFLAGS) $(IDN2_CFLAGS)
%C%_unit_urlidna_t_LDADD = $(DEDUP_LIBS)
check_PROGRAMS += %D%/unit-urlskip.t
TESTS += %D%/unit-urlskip.t
%C%_unit_urlskip_t_SOURCES = %D%/unit-urlskip.c
%C%_unit_urlskip_t_LDADD = $(DEDUP_LIBS)
check_PROGRAMS += %D%/unit-url-suite.t
TESTS += %D%/unit-url-suite.t
%C%_unit_url_suite_t_SOURCES = %D%/unit-url-suite.c
%C%_unit_url_suite_t_LDADD = $(DEDUP_LIBS)

check_PROGRAMS += %D%/show-sitemap
%C%_show_sitemap_SOURCES = %D%/show-sitemap.c
%C%_show_sitemap_LDADD = $(CRAWLER_LIBS)
dist_check_SCRIPTS += %D%/sitemap-suite.t
TESTS += %D%/sitemap-suite.t
check_PROGRAMS += %D%/unit-sitemap.t
TESTS += %D%/unit-sitemap.t
%C%_unit_sitemap_t_SOURCES = %D%/unit-sitemap.c
%C%_unit_sitemap_t_LDADD = $(CRAWLER_LIBS)
check_PROGRAMS += %D%/fuzz-sitemap
%C%_fuzz_sitemap_SOURCES = %D%/fuzz-sitemap.c $(FUZZ_MAIN)
%C%_fuzz_sitemap_LDFLAGS = $(FUZZ_LINK)
%C%_fuzz_sitemap_LDADD = $(CRAWLER_LIBS)
check_PROGRAMS += %D%/unit-checks.t
TESTS += %D%/unit-checks.t
%C%_unit_checks_t_SOURCES = %D%/unit-checks.c
%C%_unit_checks_t_LDADD = $(CRAWLER_LIBS)
check_PROGRAMS += %D%/unit-filter.t
TESTS += %D%/unit-filter.t
%C%_unit_filter_t_SOURCES = %D%/unit-filter.c
%C%_unit_filter_t_LDADD = $(DEDUP_LIBS)

check_PROGRAMS += %D%/unit-filterfile.t
TESTS += %D%/unit-filterfile.t
%C%_unit_filterfile_t_SOURCES = %D%/unit-filterfile.c
%C%_unit_filterfile_t_LDADD = $(DEDUP_LIBS)

# The frontier, in virtual time.
FRONTSIM = %D%/frontsim.c %D%/frontsim.h
check_PROGRAMS += %D%/unit-backoff.t %D%/unit-frontier.t %D%/unit-frontprop.t
TESTS += %D%/unit-backoff.t %D%/unit-frontier.t %D%/unit-frontprop.t
%C%_unit_backoff_t_SOURCES = %D%/unit-backoff.c $(FRONTSIM)
%C%_unit_backoff_t_LDADD = $(FRONTIER_LIBS)
%C%_unit_frontier_t_SOURCES = %D%/unit-frontier.c $(FRONTSIM)
%C%_unit_frontier_t_LDADD = $(FRONTIER_LIBS)
EXTRA_DIST += %D%/data/scope.tsv
check_PROGRAMS += %D%/unit-scope.t
TESTS += %D%/unit-scope.t
%C%_unit_scope_t_SOURCES = %D%/unit-scope.c
%C%_unit_scope_t_LDADD = $(FRONTIER_LIBS)

EXTRA_DIST += %D%/data/trap.tsv
check_PROGRAMS += %D%/unit-trap.t %D%/show-traps
TESTS += %D%/unit-trap.t
%C%_unit_trap_t_SOURCES = %D%/unit-trap.c
%C%_unit_trap_t_LDADD = $(FRONTIER_LIBS)
%C%_show_traps_SOURCES = %D%/show-traps.c
%C%_show_traps_LDADD = $(FRONTIER_LIBS)
dist_check_SCRIPTS += %D%/trap.t
TESTS += %D%/trap.t

check_PROGRAMS += %D%/unit-image.t
TESTS += %D%/unit-image.t
%C%_unit_image_t_SOURCES = %D%/unit-image.c $(FRONTSIM)
%C%_unit_image_t_SOURCES += %D%/imageweb.c %D%/imageweb.h
%C%_unit_image_t_LDADD = $(FRONTIER_LIBS)

check_PROGRAMS += %D%/fuzz-image
%C%_fuzz_image_SOURCES = %D%/fuzz-image.c $(FUZZ_MAIN)
%C%_fuzz_image_LDFLAGS = $(FUZZ_LINK)
%C%_fuzz_image_LDADD = $(FRONTIER_LIBS)

check_PROGRAMS += %D%/unit-spill.t
TESTS += %D%/unit-spill.t
%C%_unit_spill_t_SOURCES = %D%/unit-spill.c $(FRONTSIM)
%C%_unit_spill_t_CPPFLAGS = $(AM_CPPFLAGS) $(ZSTD_CFLAGS)
%C%_unit_spill_t_LDADD = $(FRONTIER_LIBS)

EXTRA_DIST += %D%/warcbox.h
EXTRA_DIST += %D%/warccheck.h
check_PROGRAMS += %D%/unit-warc.t
TESTS += %D%/unit-warc.t
%C%_unit_warc_t_SOURCES = %D%/unit-warc.c
%C%_unit_warc_t_CPPFLAGS = $(AM_CPPFLAGS) $(ZSTD_CFLAGS) $(ZLIB_CFLAGS) \
	$(CRYPTO_CFLAGS)
%C%_unit_warc_t_LDADD = $(CRAWLER_LIBS)
check_PROGRAMS += %D%/unit-warcloss.t
TESTS += %D%/unit-warcloss.t
%C%_unit_warcloss_t_SOURCES = %D%/unit-warcloss.c
%C%_unit_warcloss_t_CPPFLAGS = $(AM_CPPFLAGS) $(ZSTD_CFLAGS) $(ZLIB_CFLAGS)
%C%_unit_warcloss_t_LDADD = $(CRAWLER_LIBS)
EXTRA_DIST += %D%/warcpages.h
check_PROGRAMS += %D%/unit-warcdict.t
TESTS += %D%/unit-warcdict.t
%C%_unit_warcdict_t_SOURCES = %D%/unit-warcdict.c
%C%_unit_warcdict_t_CPPFLAGS = $(AM_CPPFLAGS) $(ZSTD_CFLAGS) $(ZLIB_CFLAGS)
%C%_unit_warcdict_t_LDADD = $(CRAWLER_LIBS)
check_PROGRAMS += %D%/unit-warcdictbad.t
TESTS += %D%/unit-warcdictbad.t
%C%_unit_warcdictbad_t_SOURCES = %D%/unit-warcdictbad.c
%C%_unit_warcdictbad_t_CPPFLAGS = $(AM_CPPFLAGS) $(ZSTD_CFLAGS) $(ZLIB_CFLAGS)
%C%_unit_warcdictbad_t_LDADD = $(CRAWLER_LIBS)

EXTRA_DIST += %D%/data/charset.tsv %D%/data/html.tsv %D%/data/links.tsv
check_PROGRAMS += %D%/rows-html
%C%_rows_html_SOURCES = %D%/rows-html.c
%C%_rows_html_LDADD = $(CRAWLER_LIBS)
dist_check_SCRIPTS += %D%/html.t %D%/html-suite.t
TESTS += %D%/html.t %D%/html-suite.t
check_PROGRAMS += %D%/unit-extract.t
TESTS += %D%/unit-extract.t
%C%_unit_extract_t_SOURCES = %D%/unit-extract.c
%C%_unit_extract_t_LDADD = $(CRAWLER_LIBS)
check_PROGRAMS += %D%/fuzz-extract %D%/fuzz-html
%C%_fuzz_extract_SOURCES = %D%/fuzz-extract.c $(FUZZ_MAIN)
%C%_fuzz_extract_LDFLAGS = $(FUZZ_LINK)
%C%_fuzz_extract_LDADD = $(CRAWLER_LIBS)
%C%_fuzz_html_SOURCES = %D%/fuzz-html.c $(FUZZ_MAIN)
%C%_fuzz_html_LDFLAGS = $(FUZZ_LINK)
%C%_fuzz_html_LDADD = $(CRAWLER_LIBS)
EXTRA_DIST += %D%/faultserver.h
check_PROGRAMS += %D%/unit-fetch.t
TESTS += %D%/unit-fetch.t
%C%_unit_fetch_t_SOURCES = %D%/unit-fetch.c
%C%_unit_fetch_t_CPPFLAGS = $(AM_CPPFLAGS) $(CURL_CFLAGS)
%C%_unit_fetch_t_LDADD = $(CRAWLER_LIBS)
EXTRA_DIST += %D%/fetchbench.h
check_PROGRAMS += %D%/unit-httphead.t
TESTS += %D%/unit-httphead.t
%C%_unit_httphead_t_SOURCES = %D%/unit-httphead.c
%C%_unit_httphead_t_LDADD = $(CRAWLER_LIBS)

EXTRA_DIST += %D%/data/addrguard.tsv
check_PROGRAMS += %D%/unit-addrguard.t
TESTS += %D%/unit-addrguard.t
%C%_unit_addrguard_t_SOURCES = %D%/unit-addrguard.c
%C%_unit_addrguard_t_LDADD = $(CRAWLER_LIBS)

EXTRA_DIST += %D%/dnsserver.h
check_PROGRAMS += %D%/unit-dns.t
TESTS += %D%/unit-dns.t
%C%_unit_dns_t_SOURCES = %D%/unit-dns.c
%C%_unit_dns_t_LDADD = $(CRAWLER_LIBS)

check_PROGRAMS += %D%/unit-decode.t
TESTS += %D%/unit-decode.t
%C%_unit_decode_t_SOURCES = %D%/unit-decode.c
%C%_unit_decode_t_CPPFLAGS = $(AM_CPPFLAGS) $(ZSTD_CFLAGS) $(ZLIB_CFLAGS) \
	$(BROTLI_CFLAGS)
%C%_unit_decode_t_LDADD = $(CRAWLER_LIBS) -lbrotlienc

check_PROGRAMS += %D%/fuzz-decode %D%/fuzz-warc
%C%_fuzz_decode_SOURCES = %D%/fuzz-decode.c $(FUZZ_MAIN)
%C%_fuzz_decode_LDFLAGS = $(FUZZ_LINK)
%C%_fuzz_decode_LDADD = $(CRAWLER_LIBS)
%C%_fuzz_warc_SOURCES = %D%/fuzz-warc.c $(FUZZ_MAIN)
%C%_fuzz_warc_LDFLAGS = $(FUZZ_LINK)
%C%_fuzz_warc_LDADD = $(CRAWLER_LIBS)
%C%_unit_frontprop_t_SOURCES = %D%/unit-frontprop.c $(FRONTSIM)
%C%_unit_frontprop_t_LDADD = $(FRONTIER_LIBS)
check_PROGRAMS += %D%/unit-emit.t
TESTS += %D%/unit-emit.t
%C%_unit_emit_t_SOURCES = %D%/unit-emit.c
%C%_unit_emit_t_LDADD = $(DEDUP_LIBS)

check_PROGRAMS += %D%/unit-input.t
TESTS += %D%/unit-input.t
%C%_unit_input_t_SOURCES = %D%/unit-input.c
%C%_unit_input_t_LDADD = $(DEDUP_LIBS)

check_PROGRAMS += %D%/unit-urlfast.t
TESTS += %D%/unit-urlfast.t
%C%_unit_urlfast_t_SOURCES = %D%/unit-urlfast.c
%C%_unit_urlfast_t_LDADD = $(DEDUP_LIBS)

check_PROGRAMS += %D%/unit-number.t
TESTS += %D%/unit-number.t
%C%_unit_number_t_SOURCES = %D%/unit-number.c
%C%_unit_number_t_LDADD = $(DEDUP_LIBS)

check_PROGRAMS += %D%/unit-pending.t
TESTS += %D%/unit-pending.t
%C%_unit_pending_t_SOURCES = %D%/unit-pending.c
%C%_unit_pending_t_LDADD = $(DEDUP_LIBS)

check_PROGRAMS += %D%/unit-textpack.t
TESTS += %D%/unit-textpack.t
%C%_unit_textpack_t_SOURCES = %D%/unit-textpack.c
%C%_unit_textpack_t_LDADD = $(DEDUP_LIBS)

# helpers of the shell tests
check_PROGRAMS += %D%/gen-lines %D%/peak-rss
%C%_gen_lines_SOURCES = %D%/gen-lines.c
%C%_peak_rss_SOURCES = %D%/peak-rss.c
check_PROGRAMS += %D%/ping-lines
%C%_ping_lines_SOURCES = %D%/ping-lines.c

EXTRA_DIST += %D%/data/style.tsv
dist_check_SCRIPTS += %D%/style.t
TESTS += %D%/style.t

dist_check_SCRIPTS += %D%/kill.t %D%/man.t %D%/memory.t %D%/urlseen.t
TESTS += %D%/kill.t %D%/man.t %D%/memory.t %D%/urlseen.t

# filters kept for good, and the reader that shares no code with ours
EXTRA_DIST += %D%/data/filter
check_PROGRAMS += %D%/filter-ask %D%/filter-probe
%C%_filter_ask_SOURCES = %D%/filter-ask.c
%C%_filter_probe_SOURCES = %D%/filter-probe.c
%C%_filter_probe_LDADD = $(DEDUP_LIBS)
dist_check_SCRIPTS += %D%/golden.t
TESTS += %D%/golden.t
check_PROGRAMS += %D%/fuzz-filter
%C%_fuzz_filter_SOURCES = %D%/fuzz-filter.c $(FUZZ_MAIN)
%C%_fuzz_filter_LDFLAGS = $(FUZZ_LINK)
%C%_fuzz_filter_LDADD = $(DEDUP_LIBS)
# The folder snapshot/.
EXTRA_DIST += %D%/data/record.tsv %D%/scratch.h
check_PROGRAMS += %D%/unit-file.t %D%/unit-frame.t
check_PROGRAMS += %D%/unit-helper.t %D%/unit-record.t
TESTS += %D%/unit-file.t %D%/unit-frame.t
TESTS += %D%/unit-helper.t %D%/unit-record.t
%C%_unit_file_t_SOURCES = %D%/unit-file.c
%C%_unit_file_t_LDADD = $(SNAPSHOT_LIBS)
%C%_unit_frame_t_SOURCES = %D%/unit-frame.c
%C%_unit_frame_t_CPPFLAGS = $(AM_CPPFLAGS) $(ZSTD_CFLAGS)
%C%_unit_frame_t_LDADD = $(SNAPSHOT_LIBS)
%C%_unit_helper_t_SOURCES = %D%/unit-helper.c
%C%_unit_helper_t_LDADD = $(SNAPSHOT_LIBS)
%C%_unit_record_t_SOURCES = %D%/unit-record.c
%C%_unit_record_t_LDADD = $(SNAPSHOT_LIBS)

FAULTDISK = %D%/faultdisk.c %D%/faultdisk.h
FAULTDISK += %D%/disklog.c %D%/disklog.h
check_PROGRAMS += %D%/unit-journal.t
TESTS += %D%/unit-journal.t
%C%_unit_journal_t_SOURCES = %D%/unit-journal.c $(FAULTDISK)
%C%_unit_journal_t_LDADD = $(SNAPSHOT_LIBS)
EXTRA_DIST += %D%/filterfiles.h
check_PROGRAMS += %D%/unit-filtercrash.t %D%/unit-filterdelete.t
TESTS += %D%/unit-filtercrash.t %D%/unit-filterdelete.t
%C%_unit_filtercrash_t_SOURCES = %D%/unit-filtercrash.c
%C%_unit_filtercrash_t_LDADD = $(DEDUP_LIBS)
%C%_unit_filterdelete_t_SOURCES = %D%/unit-filterdelete.c
%C%_unit_filterdelete_t_LDADD = $(DEDUP_LIBS)
check_PROGRAMS += %D%/unit-filterstep.t
TESTS += %D%/unit-filterstep.t
%C%_unit_filterstep_t_SOURCES = %D%/unit-filterstep.c
%C%_unit_filterstep_t_LDADD = $(DEDUP_LIBS)
check_PROGRAMS += %D%/unit-snapfile.t
TESTS += %D%/unit-snapfile.t
%C%_unit_snapfile_t_SOURCES = %D%/unit-snapfile.c $(FAULTDISK)
%C%_unit_snapfile_t_LDADD = $(SNAPSHOT_LIBS)
check_PROGRAMS += %D%/unit-statedir.t
TESTS += %D%/unit-statedir.t
%C%_unit_statedir_t_SOURCES = %D%/unit-statedir.c $(FAULTDISK)
%C%_unit_statedir_t_LDADD = $(SNAPSHOT_LIBS)
EXTRA_DIST += %D%/workbench.h
check_PROGRAMS += %D%/unit-worker.t
TESTS += %D%/unit-worker.t
%C%_unit_worker_t_SOURCES = %D%/unit-worker.c
%C%_unit_worker_t_CPPFLAGS = $(AM_CPPFLAGS) $(CURL_CFLAGS) $(ZLIB_CFLAGS)
%C%_unit_worker_t_LDADD = $(CRAWLER_LIBS)
EXTRA_DIST += %D%/journals.h
check_PROGRAMS += %D%/unit-mend.t
TESTS += %D%/unit-mend.t
%C%_unit_mend_t_SOURCES = %D%/unit-mend.c $(FAULTDISK)
%C%_unit_mend_t_LDADD = $(SNAPSHOT_LIBS)
check_PROGRAMS += %D%/unit-compact.t
TESTS += %D%/unit-compact.t
%C%_unit_compact_t_SOURCES = %D%/unit-compact.c $(FAULTDISK)
%C%_unit_compact_t_LDADD = $(SNAPSHOT_LIBS)
check_PROGRAMS += %D%/journal-tool
dist_check_SCRIPTS += %D%/journal.t
TESTS += %D%/journal.t
%C%_journal_tool_SOURCES = %D%/journal-tool.c
%C%_journal_tool_LDADD = $(SNAPSHOT_LIBS)

# crawl(1) against a web of our own
EXTRA_DIST += %D%/crawl.sh
dist_check_SCRIPTS += %D%/crawl.t
TESTS += %D%/crawl.t
EXTRA_DIST += %D%/fuzzdir.h
check_PROGRAMS += %D%/fuzz-journal %D%/fuzz-snapshot
%C%_fuzz_journal_SOURCES = %D%/fuzz-journal.c $(FUZZ_MAIN)
%C%_fuzz_journal_LDFLAGS = $(FUZZ_LINK)
%C%_fuzz_journal_LDADD = $(SNAPSHOT_LIBS)
%C%_fuzz_snapshot_SOURCES = %D%/fuzz-snapshot.c $(FUZZ_MAIN)
%C%_fuzz_snapshot_LDFLAGS = $(FUZZ_LINK)
%C%_fuzz_snapshot_LDADD = $(SNAPSHOT_LIBS)
dist_check_SCRIPTS += %D%/crawl.t %D%/crawlkill.t %D%/crawlstop.t
TESTS += %D%/crawl.t %D%/crawlkill.t %D%/crawlstop.t
dist_check_SCRIPTS += %D%/crawlfull.t %D%/crawlopts.t
TESTS += %D%/crawlfull.t %D%/crawlopts.t
dist_check_SCRIPTS += %D%/crawladdr.t
TESTS += %D%/crawladdr.t

dist_check_SCRIPTS += %D%/crawlmodes.t
TESTS += %D%/crawlmodes.t
dist_check_SCRIPTS += %D%/crawlseen.t
TESTS += %D%/crawlseen.t
check_PROGRAMS += %D%/unit-workerload.t
TESTS += %D%/unit-workerload.t
%C%_unit_workerload_t_SOURCES = %D%/unit-workerload.c
%C%_unit_workerload_t_CPPFLAGS = $(AM_CPPFLAGS) $(CURL_CFLAGS)
%C%_unit_workerload_t_LDADD = $(CRAWLER_LIBS)
dist_check_SCRIPTS += %D%/crawl.t %D%/crawlkill.t
TESTS += %D%/crawl.t %D%/crawlkill.t
check_PROGRAMS += %D%/unit-crash.t
TESTS += %D%/unit-crash.t
%C%_unit_crash_t_SOURCES = %D%/unit-crash.c %D%/life.c %D%/life.h $(FAULTDISK)
%C%_unit_crash_t_LDADD = $(SNAPSHOT_LIBS)
dist_check_SCRIPTS += %D%/kinds.t
TESTS += %D%/kinds.t

check_PROGRAMS += %D%/unit-frontcrash.t
TESTS += %D%/unit-frontcrash.t
%C%_unit_frontcrash_t_SOURCES = %D%/unit-frontcrash.c $(FRONTSIM) $(FAULTDISK)
%C%_unit_frontcrash_t_LDADD = $(FRONTIER_LIBS)

dist_check_SCRIPTS += %D%/spilled.t
TESTS += %D%/spilled.t
dist_check_SCRIPTS += %D%/crawlagain.t
TESTS += %D%/crawlagain.t
dist_check_SCRIPTS += %D%/crawlexclude.t
TESTS += %D%/crawlexclude.t
dist_check_SCRIPTS += %D%/crawlindex.t
TESTS += %D%/crawlindex.t
check_PROGRAMS += %D%/unit-blocked.t %D%/unit-linescan.t
TESTS += %D%/unit-blocked.t %D%/unit-linescan.t
%C%_unit_blocked_t_SOURCES = %D%/unit-blocked.c
%C%_unit_blocked_t_LDADD = $(DEDUP_LIBS)
%C%_unit_linescan_t_SOURCES = %D%/unit-linescan.c
%C%_unit_linescan_t_LDADD = $(DEDUP_LIBS)
dist_check_SCRIPTS += %D%/crawlhostile.t
TESTS += %D%/crawlhostile.t
dist_check_SCRIPTS += %D%/shared.t
TESTS += %D%/shared.t
dist_check_SCRIPTS += %D%/interop-nginx.t
TESTS += %D%/interop-nginx.t

# A whole crawl on a disk that fails on demand.  The library is preloaded: a
# program in automake's eyes, as nothing else here needs libtool.
check_PROGRAMS += %D%/faultcalls.so %D%/crawl-check
%C%_faultcalls_so_SOURCES = %D%/faultcalls.c
%C%_faultcalls_so_SOURCES += %D%/faultplan.c %D%/faultplan.h
%C%_faultcalls_so_SOURCES += %D%/disklog.c %D%/disklog.h
%C%_faultcalls_so_CFLAGS = $(WARN_CFLAGS) -fPIC
%C%_faultcalls_so_LDFLAGS = -shared
%C%_crawl_check_SOURCES = %D%/crawl-check.c
%C%_crawl_check_SOURCES += %D%/webtable.c %D%/webtable.h
%C%_crawl_check_LDADD = $(CRAWLER_LIBS)
dist_check_SCRIPTS += %D%/crawlfault.t
TESTS += %D%/crawlfault.t
# crawl with small archive files, which get to have a dictionary
check_PROGRAMS += %D%/crawl-small
%C%_crawl_small_SOURCES = %D%/crawl-small.c $(crawl_SOURCES)
%C%_crawl_small_CPPFLAGS = $(crawl_CPPFLAGS)
%C%_crawl_small_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=archive_open
%C%_crawl_small_LDADD = $(crawl_LDADD)
dist_check_SCRIPTS += %D%/crawldict.t %D%/crawldictfault.t
TESTS += %D%/crawldict.t %D%/crawldictfault.t

EXTRA_DIST += %D%/term.sh
dist_check_SCRIPTS += %D%/completion.t
TESTS += %D%/completion.t
dist_check_SCRIPTS += %D%/bulk.t
TESTS += %D%/bulk.t
dist_check_SCRIPTS += %D%/crawlcold.t
TESTS += %D%/crawlcold.t
dist_check_SCRIPTS += %D%/live.t %D%/http.t
TESTS += %D%/live.t %D%/http.t
EXTRA_DIST += %D%/session.sh %D%/newcomer.sh %D%/data/demo.txt
dist_check_SCRIPTS += %D%/readme.t
TESTS += %D%/readme.t
dist_check_SCRIPTS += %D%/examples.t
TESTS += %D%/examples.t
dist_check_SCRIPTS += %D%/bootstrap.t
TESTS += %D%/bootstrap.t
dist_check_SCRIPTS += %D%/crawlpause.t
TESTS += %D%/crawlpause.t
check_PROGRAMS += %D%/unit-crawlview.t
TESTS += %D%/unit-crawlview.t
%C%_unit_crawlview_t_SOURCES = %D%/unit-crawlview.c
%C%_unit_crawlview_t_LDADD = $(CRAWLER_LIBS)
dist_check_SCRIPTS += %D%/crawlgrow.t
TESTS += %D%/crawlgrow.t
check_PROGRAMS += %D%/hopweb
%C%_hopweb_SOURCES = %D%/hopweb.c
%C%_hopweb_LDADD = $(SNAPSHOT_LIBS)
dist_check_SCRIPTS += %D%/crawlhops.t
TESTS += %D%/crawlhops.t
check_PROGRAMS += %D%/unit-fronthops.t
TESTS += %D%/unit-fronthops.t
%C%_unit_fronthops_t_SOURCES = %D%/unit-fronthops.c $(FRONTSIM)
%C%_unit_fronthops_t_LDADD = $(FRONTIER_LIBS)
