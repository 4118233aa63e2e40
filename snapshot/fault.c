/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <errno.h>
#include <string.h>

#include "snapshot/fault.h"

const char *
fault_why(int code)
{
	return code == FAULT_SYS ? strerror(errno) : fault_str(code);
}

const char *
fault_str(int code)
{
	switch ((enum fault)code) {
	case FAULT_SYS:
		return "system call failed";
	case FAULT_NOMEM:
		return "out of memory";
	case FAULT_FULL:
		return "full";
	case FAULT_TOOBIG:
		return "beyond its limit";
	case FAULT_LOCKED:
		return "locked by another process";
	case FAULT_MAGIC:
		return "not a file of this kind";
	case FAULT_VERSION:
		return "written by a newer version";
	case FAULT_DAMAGED:
		return "damaged";
	case FAULT_TRUNCATED:
		return "cut short";
	case FAULT_MISMATCH:
		return "made with other parameters";
	case FAULT_UNCLEAN:
		return "not closed cleanly before a reboot";
	case FAULT_ARG:
		return "argument out of range";
	case FAULT_NOTFILE:
		return "not a regular file";
	case FAULT_URL_EMPTY:
		return "empty URL";
	case FAULT_URL_SCHEME:
		return "not an http or https URL";
	case FAULT_URL_HOST:
		return "no valid host";
	case FAULT_URL_PORT:
		return "port not within 0 to 65535";
	case FAULT_URL_TOOLONG:
		return "URL too long";
	case FAULT_URL_RELATIVE:
		return "relative URL without a base";
	}
	return "unknown fault";
}
