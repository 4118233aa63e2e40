/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * bytes.h - numbers in files: little-endian, whatever the machine is
 */

#ifndef FRONTIER_BYTES_H
#define FRONTIER_BYTES_H

#include <stdint.h>

/* Put writes and returns one past; get reads. */
static inline unsigned char *
bytes_put16(unsigned char *p, uint16_t v)
{
	p[0] = (unsigned char)v;
	p[1] = (unsigned char)(v >> 8);
	return p + 2;
}

static inline unsigned char *
bytes_put32(unsigned char *p, uint32_t v)
{
	return bytes_put16(bytes_put16(p, (uint16_t)v), (uint16_t)(v >> 16));
}

static inline unsigned char *
bytes_put64(unsigned char *p, uint64_t v)
{
	return bytes_put32(bytes_put32(p, (uint32_t)v), (uint32_t)(v >> 32));
}

static inline uint16_t
bytes_get16(const unsigned char *p)
{
	return (uint16_t)(p[0] | p[1] << 8);
}

static inline uint32_t
bytes_get32(const unsigned char *p)
{
	return bytes_get16(p) | (uint32_t)bytes_get16(p + 2) << 16;
}

static inline uint64_t
bytes_get64(const unsigned char *p)
{
	return bytes_get32(p) | (uint64_t)bytes_get32(p + 4) << 32;
}

#endif
