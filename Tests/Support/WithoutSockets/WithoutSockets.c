// Runs a program that may not open a socket: the system kills it with SIGSYS when it tries.
//
//     WithoutSockets PROGRAM ARGUMENT…
//
// It needs no rights and no tools: the program is given a filter of system calls, which it and all that it starts keep.
//
// One kind is refused instead: a local stream that does not block from its first moment. The C library opens such a one
// to ask for the cache of user names, if there is one, and goes on without. libzmq and mosquitto open others.

#include <stdio.h>

// What this program ends with if it could not do its work; no command of the tests ends so.
enum { notGuarded = 99 };

#if defined(__linux__)

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

// The lower half of an argument of a system call, on the little-endian machines that this is for.
#define ARGUMENT(number) (offsetof(struct seccomp_data, args) + 8 * (number))

int main(int count, char **arguments) {
    struct sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 0, 6),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, ARGUMENT(0)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, ARGUMENT(1)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (EACCES & SECCOMP_RET_DATA)),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = sizeof rules / sizeof rules[0], .filter = rules};
    if (count < 2) {
        fprintf(stderr, "WithoutSockets: give a program\n");
        return notGuarded;
    }
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
        fprintf(stderr, "WithoutSockets: this system takes no filter of system calls: %s\n", strerror(errno));
        return notGuarded;
    }
    execv(arguments[1], arguments + 1);
    fprintf(stderr, "WithoutSockets: %s: %s\n", arguments[1], strerror(errno));
    return notGuarded;
}

#else

int main(void) {
    fprintf(stderr, "WithoutSockets: only Linux has such filters\n");
    return notGuarded;
}

#endif
