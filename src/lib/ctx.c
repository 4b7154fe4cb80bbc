// SPDX-License-Identifier: LGPL-2.1-or-later
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/dir.h"
#include "lib/internal.h"

const char *mbmcat_version(void)
{
	return MBMCAT_VERSION;
}

int mbmcat_ctx_open(struct mbmcat_ctx **ctx, const char *dir, unsigned int flags)
{
	cleanup(cleanup_fd) int fd = dir_open_root(dir);
	struct mbmcat_ctx *c;

	if (fd < 0)
		return fd;
	/* A group's directory is of the same file system; only the root has this one. */
	if (!(flags & MBMCAT_OPEN_ANY) && (!dir_is_resctrl(fd) || !dir_exists(fd, "info")))
		return -EMEDIUMTYPE;
	c = calloc(1, sizeof(*c));
	if (!c)
		return -ENOMEM;
	c->root_fd = fd;
	fd = -1;
	*ctx = c;
	return 0;
}

void mbmcat_ctx_close(struct mbmcat_ctx *ctx)
{
	if (!ctx)
		return;
	close(ctx->root_fd);
	free(ctx);
}

void mbmcat_ctx_set_log(struct mbmcat_ctx *ctx, mbmcat_log_fn fn, void *arg)
{
	ctx->log = fn;
	ctx->log_arg = arg;
}

void ctx_log(const struct mbmcat_ctx *ctx, enum mbmcat_log_level level, const char *format, ...)
{
	char text[1024];
	va_list args;

	if (!ctx->log)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	ctx->log(ctx->log_arg, level, text);
}
