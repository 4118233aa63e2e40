# SPDX-License-Identifier: BSD-2-Clause
#
# One spelling for each URL, and whether it was seen before.

noinst_LIBRARIES += %D%/libdedup.a
%C%_libdedup_a_CPPFLAGS = $(AM_CPPFLAGS) $(XXHASH_CFLAGS) $(IDN2_CFLAGS)
%C%_libdedup_a_SOURCES = \
	%D%/filter.h %D%/url.h \
	%D%/urlkey.c %D%/urlkey.h

DEDUP_LIBS = dedup/libdedup.a snapshot/libsnapshot.a $(IDN2_LIBS)
