# SPDX-License-Identifier: BSD-2-Clause
#
# Bytes on disk.  The lowest storey: includes nothing of the others.

noinst_LIBRARIES += %D%/libsnapshot.a
%C%_libsnapshot_a_CPPFLAGS = $(AM_CPPFLAGS) $(ZSTD_CFLAGS)
%C%_libsnapshot_a_SOURCES = \
	%D%/fault.c %D%/fault.h \
	%D%/limits.h
