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
%C%_libdedup_a_SOURCES =
%C%_libdedup_a_SOURCES += %D%/batch.c %D%/batch.h
%C%_libdedup_a_SOURCES += %D%/emit.c %D%/emit.h
%C%_libdedup_a_SOURCES += %D%/filter.h
%C%_libdedup_a_SOURCES += %D%/gate.c %D%/gate.h
%C%_libdedup_a_SOURCES += %D%/input.c %D%/input.h
%C%_libdedup_a_SOURCES += %D%/interrupt.c %D%/interrupt.h
%C%_libdedup_a_SOURCES += %D%/number.c %D%/number.h
%C%_libdedup_a_SOURCES += %D%/options.c %D%/options.h
%C%_libdedup_a_SOURCES += %D%/outputs.c %D%/outputs.h
%C%_libdedup_a_SOURCES += %D%/pending.c %D%/pending.h
%C%_libdedup_a_SOURCES += %D%/report.c %D%/report.h
%C%_libdedup_a_SOURCES += %D%/setup.c %D%/setup.h
%C%_libdedup_a_SOURCES += %D%/stream.c %D%/stream.h
%C%_libdedup_a_SOURCES += %D%/suggest.c %D%/suggest.h
%C%_libdedup_a_SOURCES += %D%/turn.c %D%/turn.h
%C%_libdedup_a_SOURCES += %D%/url.c %D%/url.h
%C%_libdedup_a_SOURCES += %D%/urladdr.c %D%/urladdr.h
%C%_libdedup_a_SOURCES += %D%/urlclass.c %D%/urlclass.h
%C%_libdedup_a_SOURCES += %D%/urlfast.c %D%/urlfast.h
%C%_libdedup_a_SOURCES += %D%/urlhost.c %D%/urlhost.h
%C%_libdedup_a_SOURCES += %D%/urlidna.c %D%/urlidna.h
%C%_libdedup_a_SOURCES += %D%/urlkey.c %D%/urlkey.h
%C%_libdedup_a_SOURCES += %D%/urlnames.c %D%/urlnames.h
%C%_libdedup_a_SOURCES += %D%/urlpath.c %D%/urlpath.h
%C%_libdedup_a_SOURCES += %D%/urlquery.c %D%/urlquery.h
%C%_libdedup_a_SOURCES += %D%/urlrules.c %D%/urlrules.h
%C%_libdedup_a_SOURCES += %D%/urlsplit.c

DEDUP_LIBS = dedup/libdedup.a snapshot/libsnapshot.a $(IDN2_LIBS)

bin_PROGRAMS += urlseen
urlseen_SOURCES = %D%/urlseen.c
urlseen_LDADD = $(DEDUP_LIBS)
