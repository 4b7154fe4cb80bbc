// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/bench-toggle.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/diag.h"

static int spawn(const char *command, pid_t *pid)
{
	char *const argv[] = { (char *)"sh", (char *)"-c", (char *)"--", (char *)command, NULL };
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t defaults;
	int ret;

	posix_spawn_file_actions_init(&files);
	posix_spawnattr_init(&attr);
	ret = posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	if (!ret)
		ret = posix_spawn_file_actions_adddup2(&files, STDERR_FILENO, STDOUT_FILENO);
	sigemptyset(&defaults);
	sigaddset(&defaults, SIGPIPE);
	posix_spawnattr_setsigdefault(&attr, &defaults);
	posix_spawnattr_setpgroup(&attr, 0);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
	if (!ret)
		ret = posix_spawn(pid, "/bin/sh", &files, &attr, argv, environ);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
	return ret;
}

int toggle_run(const char *command)
{
	int ret, status = 0;
	pid_t pid;

	ret = spawn(command, &pid);
	if (ret) {
		diag_error("can't run \"%s\": %s", command, strerror(ret));
		return EXIT_NOTHING;
	}
	while (waitpid(pid, &status, 0) < 0) {
		if (errno != EINTR)
			return EXIT_NOTHING;
	}
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return 0;
	if (WIFEXITED(status))
		diag_error("\"%s\" failed with exit code %d; nothing was flipped", command,
			   WEXITSTATUS(status));
	else
		diag_error("\"%s\" was ended by signal %d", command, WTERMSIG(status));
	return EXIT_NOTHING;
}
