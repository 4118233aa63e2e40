# SPDX-License-Identifier: BSD-2-Clause
#
# What meets the network: robots, sitemaps, extraction, fetching, archives.
# Only this storey sees curl and libxml2.

noinst_LIBRARIES += %D%/libcrawler.a
%C%_libcrawler_a_CPPFLAGS = $(AM_CPPFLAGS) $(CURL_CFLAGS) $(XML2_CFLAGS) \
	$(CARES_CFLAGS) $(ZLIB_CFLAGS) $(BROTLI_CFLAGS) $(ZSTD_CFLAGS) \
	$(PSL_CFLAGS) $(PCRE2_CFLAGS) $(IDN2_CFLAGS) $(CRYPTO_CFLAGS) \
	$(MICROHTTPD_CFLAGS)
%C%_libcrawler_a_SOURCES =
%C%_libcrawler_a_SOURCES += %D%/addrguard.c %D%/addrguard.h
%C%_libcrawler_a_SOURCES += %D%/archive.c %D%/archive.h
%C%_libcrawler_a_SOURCES += %D%/archivedict.c %D%/archivedict.h
%C%_libcrawler_a_SOURCES += %D%/archivefile.c %D%/archivefile.h
%C%_libcrawler_a_SOURCES += %D%/archiveframe.c %D%/archiveframe.h
%C%_libcrawler_a_SOURCES += %D%/archiveread.c
%C%_libcrawler_a_SOURCES += %D%/ascii.h
%C%_libcrawler_a_SOURCES += %D%/buf.c %D%/buf.h
%C%_libcrawler_a_SOURCES += %D%/cdxj.c %D%/cdxj.h
%C%_libcrawler_a_SOURCES += %D%/cdxjsort.c
%C%_libcrawler_a_SOURCES += %D%/charref.c %D%/charref.h
%C%_libcrawler_a_SOURCES += %D%/charset.c %D%/charset.h
%C%_libcrawler_a_SOURCES += %D%/core.c %D%/core.h
%C%_libcrawler_a_SOURCES += %D%/coredoor.c %D%/coredoor.h
%C%_libcrawler_a_SOURCES += %D%/coreint.h
%C%_libcrawler_a_SOURCES += %D%/corelinks.c %D%/corelinks.h
%C%_libcrawler_a_SOURCES += %D%/coreload.c %D%/coreload.h
%C%_libcrawler_a_SOURCES += %D%/coreopen.c
%C%_libcrawler_a_SOURCES += %D%/corepage.c %D%/corepage.h
%C%_libcrawler_a_SOURCES += %D%/coreagain.c %D%/corereplay.h
%C%_libcrawler_a_SOURCES += %D%/coreagain.h %D%/corereplay.h
%C%_libcrawler_a_SOURCES += %D%/corepause.c
%C%_libcrawler_a_SOURCES += %D%/corereplay.c %D%/corereplay.h
%C%_libcrawler_a_SOURCES += %D%/coreseed.c
%C%_libcrawler_a_SOURCES += %D%/coreseen.c %D%/coreseen.h
%C%_libcrawler_a_SOURCES += %D%/coresnap.c %D%/coresnap.h
%C%_libcrawler_a_SOURCES += %D%/coregrow.c %D%/coregrow.h
%C%_libcrawler_a_SOURCES += %D%/corecold.c %D%/corecold.h
%C%_libcrawler_a_SOURCES += %D%/ordinals.c %D%/ordinals.h
%C%_libcrawler_a_SOURCES += %D%/crawlhist.c %D%/crawlhist.h
%C%_libcrawler_a_SOURCES += %D%/crawlhttp.c %D%/crawlhttp.h
%C%_libcrawler_a_SOURCES += %D%/crawltop.c %D%/crawltop.h
%C%_libcrawler_a_SOURCES += %D%/crawlview.c %D%/crawlview.h
%C%_libcrawler_a_SOURCES += %D%/crawlopts.c %D%/crawlopts.h
%C%_libcrawler_a_SOURCES += %D%/crawloptsdiff.c %D%/crawloptsdiff.h
%C%_libcrawler_a_SOURCES += %D%/crawloptsdir.c
%C%_libcrawler_a_SOURCES += %D%/crawloptsfile.c
%C%_libcrawler_a_SOURCES += %D%/crawloptsvalue.c %D%/crawloptsvalue.h
%C%_libcrawler_a_SOURCES += %D%/crawlout.c %D%/crawlout.h
%C%_libcrawler_a_SOURCES += %D%/crawlseeds.c %D%/crawlseeds.h
%C%_libcrawler_a_SOURCES += %D%/crawlsignal.c %D%/crawlsignal.h
%C%_libcrawler_a_SOURCES += %D%/decode.c %D%/decode.h
%C%_libcrawler_a_SOURCES += %D%/digest.c %D%/digest.h
%C%_libcrawler_a_SOURCES += %D%/dns.c %D%/dns.h
%C%_libcrawler_a_SOURCES += %D%/dnscache.c %D%/dnscache.h
%C%_libcrawler_a_SOURCES += %D%/extract.c %D%/extract.h
%C%_libcrawler_a_SOURCES += %D%/extractfile.c %D%/extractfile.h
%C%_libcrawler_a_SOURCES += %D%/fetch.c %D%/fetch.h
%C%_libcrawler_a_SOURCES += %D%/fetchmulti.c
%C%_libcrawler_a_SOURCES += %D%/fetcherr.c %D%/fetchint.h
%C%_libcrawler_a_SOURCES += %D%/httphead.c %D%/httphead.h
%C%_libcrawler_a_SOURCES += %D%/ip.c %D%/ip.h
%C%_libcrawler_a_SOURCES += %D%/linkheader.c %D%/linkheader.h
%C%_libcrawler_a_SOURCES += %D%/links.c %D%/links.h
%C%_libcrawler_a_SOURCES += %D%/loop.c %D%/loop.h
%C%_libcrawler_a_SOURCES += %D%/markup.c %D%/markup.h
%C%_libcrawler_a_SOURCES += %D%/pack.c %D%/pack.h
%C%_libcrawler_a_SOURCES += %D%/refresh.c %D%/refresh.h
%C%_libcrawler_a_SOURCES += %D%/rel.c %D%/rel.h
%C%_libcrawler_a_SOURCES += %D%/request.c %D%/request.h
%C%_libcrawler_a_SOURCES += %D%/revisit.c %D%/revisit.h
%C%_libcrawler_a_SOURCES += %D%/robots.c %D%/robots.h
%C%_libcrawler_a_SOURCES += %D%/robotsagent.c %D%/robotsagent.h
%C%_libcrawler_a_SOURCES += %D%/robotscheck.c %D%/robotscheck.h
%C%_libcrawler_a_SOURCES += %D%/robotsline.c %D%/robotsline.h
%C%_libcrawler_a_SOURCES += %D%/robotspath.c %D%/robotspath.h
%C%_libcrawler_a_SOURCES += %D%/robotstag.c %D%/robotstag.h
%C%_libcrawler_a_SOURCES += %D%/route.c %D%/route.h
%C%_libcrawler_a_SOURCES += %D%/sitemap.c %D%/sitemap.h
%C%_libcrawler_a_SOURCES += %D%/sitemapcheck.c %D%/sitemapcheck.h
%C%_libcrawler_a_SOURCES += %D%/sitemaptext.c %D%/sitemaptext.h
%C%_libcrawler_a_SOURCES += %D%/sitemapvalue.c %D%/sitemapvalue.h
%C%_libcrawler_a_SOURCES += %D%/sitemapquiet.c %D%/sitemapquiet.h
%C%_libcrawler_a_SOURCES += %D%/sitemapxml.c %D%/sitemapxml.h
%C%_libcrawler_a_SOURCES += %D%/slurp.c %D%/slurp.h
%C%_libcrawler_a_SOURCES += %D%/srcset.c %D%/srcset.h
%C%_libcrawler_a_SOURCES += %D%/transcode.c %D%/transcode.h
%C%_libcrawler_a_SOURCES += %D%/unpack.c %D%/unpack.h
%C%_libcrawler_a_SOURCES += %D%/utf8.c %D%/utf8.h
%C%_libcrawler_a_SOURCES += %D%/warc.c %D%/warc.h
%C%_libcrawler_a_SOURCES += %D%/warcread.c
%C%_libcrawler_a_SOURCES += %D%/worker.c %D%/worker.h
%C%_libcrawler_a_SOURCES += %D%/workerint.h
%C%_libcrawler_a_SOURCES += %D%/workerlife.c
%C%_libcrawler_a_SOURCES += %D%/workerlinks.c %D%/workerlinks.h
%C%_libcrawler_a_SOURCES += %D%/workerpage.c %D%/workerpage.h
%C%_libcrawler_a_SOURCES += %D%/workerrun.c
%C%_libcrawler_a_SOURCES += %D%/workerstore.c
%C%_libcrawler_a_SOURCES += %D%/workersync.c
%C%_libcrawler_a_SOURCES += %D%/xfer.c %D%/xfer.h
%C%_libcrawler_a_SOURCES += %D%/xferresult.c %D%/xferresult.h

# The live page as lines of C.
EXTRA_DIST += %D%/crawlpage.html
CLEANFILES += %D%/crawlpage.inc
%D%/crawlpage.inc: %D%/crawlpage.html
	$(AM_V_GEN)$(MKDIR_P) %D% && sed 's/[\\"]/\\&/g; s/^/"/; s/$$/\\n",/' \
	    $(srcdir)/%D%/crawlpage.html >$@.t && mv $@.t $@
%D%/libcrawler_a-crawlhttp.$(OBJEXT): %D%/crawlpage.inc

CRAWLER_LIBS = crawler/libcrawler.a $(FRONTIER_LIBS) \
	dedup/libdedup.a snapshot/libsnapshot.a \
	$(CURL_LIBS) $(XML2_LIBS) $(CARES_LIBS) $(ZLIB_LIBS) $(BROTLI_LIBS) \
	$(ZSTD_LIBS) $(PSL_LIBS) $(PCRE2_LIBS) $(IDN2_LIBS) $(CRYPTO_LIBS) \
	$(MICROHTTPD_LIBS)

bin_PROGRAMS += crawl
crawl_SOURCES =
crawl_SOURCES += %D%/crawl.c
crawl_SOURCES += %D%/crawlexport.c
crawl_SOURCES += %D%/crawlmodes.c %D%/crawlmodes.h
crawl_SOURCES += %D%/crawlrun.c %D%/crawlrun.h
crawl_SOURCES += %D%/crawlsay.c
crawl_SOURCES += %D%/crawlsayfile.c
crawl_SOURCES += %D%/crawlsetup.c
crawl_SOURCES += %D%/crawlsetupseeds.c
crawl_SOURCES += %D%/crawlstatus.c
crawl_SOURCES += %D%/crawlverify.c
crawl_SOURCES += %D%/crawlverify.h
crawl_SOURCES += %D%/crawlverifyqueue.c
crawl_CPPFLAGS = $(AM_CPPFLAGS) $(CURL_CFLAGS) $(XML2_CFLAGS)
crawl_LDADD = $(CRAWLER_LIBS)
