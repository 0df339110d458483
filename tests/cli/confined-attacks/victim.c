/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * victim.c - root's process that another one attacks
 *
 *	victim SOCKET SEGMENT
 *
 * It receives datagrams at SOCKET, which has mode 0600, and has a segment of
 * shared memory, whose number it writes to the file SEGMENT.  At SIGTERM it says
 * which of them were reached.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct sockaddr_un name = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
	int segment = shmget(IPC_PRIVATE, 4096, 0600);
	char *memory = shmat(segment, NULL, 0), bytes[16];
	sigset_t term;
	FILE *file;
	int number;

	if (argc != 3 || fd < 0 || segment < 0 || memory == (char *)-1)
		return 1;
	shmctl(segment, IPC_RMID, NULL);
	sigemptyset(&term);
	sigaddset(&term, SIGTERM);
	sigprocmask(SIG_BLOCK, &term, NULL);
	strncpy(name.sun_path, argv[1], sizeof(name.sun_path) - 1);
	if (bind(fd, (struct sockaddr *)&name, sizeof(name)) ||
	    chmod(argv[1], 0600))
		return 1;
	file = fopen(argv[2], "w");
	if (!file || fprintf(file, "%d\n", segment) < 0 || fclose(file))
		return 1;
	sigwait(&term, &number);
	printf("socket: %s\n", recv(fd, bytes, sizeof(bytes), MSG_DONTWAIT) > 0 ?
	       "reached" : "untouched");
	printf("memory: %s\n", *memory ? "written" : "untouched");
	return 0;
}
