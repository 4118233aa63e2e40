# SPDX-License-Identifier: BSD-2-Clause
#
# One spelling for each URL, and whether it was seen before.

noinst_LIBRARIES += %D%/libdedup.a
%C%_libdedup_a_CPPFLAGS = $(AM_CPPFLAGS) $(XXHASH_CFLAGS) $(IDN2_CFLAGS)
%C%_libdedup_a_SOURCES = \
	%D%/url.c %D%/url.h \
	%D%/urladdr.c %D%/urladdr.h \
	%D%/urlclass.c %D%/urlclass.h \
	%D%/urlfast.c %D%/urlfast.h \
	%D%/urlhost.c %D%/urlhost.h \
	%D%/urlidna.c %D%/urlidna.h \
	%D%/urlkey.c %D%/urlkey.h \
	%D%/urlnames.c %D%/urlnames.h \
	%D%/urlpath.c %D%/urlpath.h \
	%D%/urlpuny.c %D%/urlpuny.h \
	%D%/urlquery.c %D%/urlquery.h \
	%D%/urlrules.c %D%/urlrules.h \
	%D%/urlsplit.c \
	%D%/urlucd.c %D%/urlucd.h \
	%D%/urlucdtab.c
EXTRA_DIST += %D%/urlucd.py

%C%_libdedup_a_SOURCES += \
	%D%/blocked.c %D%/blocked.h \
	%D%/bloom.c %D%/bloom.h \
	%D%/exact.c %D%/exact.h \
	%D%/filter.c %D%/filter.h \
	%D%/filterfile.c %D%/filterfile.h \
	%D%/filterhead.c %D%/filterhead.h \
	%D%/layer.c %D%/layer.h \
	%D%/odd.c %D%/odd.h \
	%D%/rate.c %D%/rate.h

DEDUP_LIBS = dedup/libdedup.a snapshot/libsnapshot.a $(IDN2_LIBS)
