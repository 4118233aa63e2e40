# SPDX-License-Identifier: BSD-2-Clause
#
# What meets the network: robots, sitemaps, extraction, fetching, archives.
# Only this storey sees curl and libxml2.

noinst_LIBRARIES += %D%/libcrawler.a
%C%_libcrawler_a_CPPFLAGS = $(AM_CPPFLAGS) $(CURL_CFLAGS) $(XML2_CFLAGS) \
	$(CARES_CFLAGS) $(ZLIB_CFLAGS) $(BROTLI_CFLAGS) $(ZSTD_CFLAGS) \
	$(PSL_CFLAGS) $(PCRE2_CFLAGS) $(IDN2_CFLAGS) $(CRYPTO_CFLAGS)
%C%_libcrawler_a_SOURCES = \
	%D%/addrguard.c %D%/addrguard.h \
	%D%/archive.c %D%/archive.h \
	%D%/archivefile.c %D%/archivefile.h \
	%D%/archiveread.c \
	%D%/buf.c %D%/buf.h \
	%D%/cdxj.c %D%/cdxj.h \
	%D%/cdxjsort.c \
	%D%/decode.c %D%/decode.h \
	%D%/digest.c %D%/digest.h \
	%D%/dns.c %D%/dns.h \
	%D%/fetch.c %D%/fetch.h \
	%D%/fetcherr.c %D%/fetchint.h \
	%D%/httphead.c %D%/httphead.h \
	%D%/ip.c %D%/ip.h \
	%D%/loop.c %D%/loop.h \
	%D%/pack.c %D%/pack.h \
	%D%/request.c %D%/request.h \
	%D%/revisit.c %D%/revisit.h \
	%D%/route.c %D%/route.h \
	%D%/unpack.c %D%/unpack.h \
	%D%/warc.c %D%/warc.h \
	%D%/warcread.c \
	%D%/worker.h \
	%D%/xfer.c %D%/xfer.h \
	%D%/robots.c %D%/robots.h \
	%D%/robotsagent.c %D%/robotsagent.h \
	%D%/robotscheck.c %D%/robotscheck.h \
	%D%/robotsline.c %D%/robotsline.h \
	%D%/robotspath.c %D%/robotspath.h \
	%D%/sitemap.c %D%/sitemap.h \
	%D%/sitemapcheck.c %D%/sitemapcheck.h \
	%D%/sitemaptext.c %D%/sitemaptext.h \
	%D%/sitemapvalue.c %D%/sitemapvalue.h \
	%D%/sitemapxml.c %D%/sitemapxml.h \
	%D%/slurp.c %D%/slurp.h
	%D%/robotspath.c %D%/robotspath.h
%C%_libcrawler_a_SOURCES += \
	%D%/ascii.h \
	%D%/charref.c %D%/charref.h \
	%D%/charset.c %D%/charset.h \
	%D%/extract.c %D%/extract.h \
	%D%/extractfile.c %D%/extractfile.h \
	%D%/linkheader.c %D%/linkheader.h \
	%D%/links.c %D%/links.h \
	%D%/markup.c %D%/markup.h \
	%D%/refresh.c %D%/refresh.h \
	%D%/rel.c %D%/rel.h \
	%D%/robotstag.c %D%/robotstag.h \
	%D%/srcset.c %D%/srcset.h \
	%D%/transcode.c %D%/transcode.h \
	%D%/utf8.c %D%/utf8.h

CRAWLER_LIBS = crawler/libcrawler.a $(FRONTIER_LIBS) \
	dedup/libdedup.a snapshot/libsnapshot.a \
	$(CURL_LIBS) $(XML2_LIBS) $(CARES_LIBS) $(ZLIB_LIBS) $(BROTLI_LIBS) \
	$(ZSTD_LIBS) $(PSL_LIBS) $(PCRE2_LIBS) $(IDN2_LIBS) $(CRYPTO_LIBS)
