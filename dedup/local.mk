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
	%D%/urlsplit.c
	%D%/batch.c %D%/batch.h \
	%D%/emit.c %D%/emit.h \
	%D%/filter.h \
	%D%/gate.c %D%/gate.h \
	%D%/input.c %D%/input.h \
	%D%/interrupt.c %D%/interrupt.h \
	%D%/number.c %D%/number.h \
	%D%/options.c %D%/options.h \
	%D%/outputs.c %D%/outputs.h \
	%D%/pending.c %D%/pending.h \
	%D%/report.c %D%/report.h \
	%D%/setup.c %D%/setup.h \
	%D%/stream.c %D%/stream.h \
	%D%/suggest.c %D%/suggest.h \
	%D%/turn.c %D%/turn.h \
	%D%/url.h \
	%D%/urlkey.c %D%/urlkey.h

DEDUP_LIBS = dedup/libdedup.a snapshot/libsnapshot.a $(IDN2_LIBS)
