#define _GNU_SOURCE
#include "CTerminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { sequence_limit = 256, errors_shown = 16 * 1024, errors_kept = 64 * 1024 };

static const int fatal_signals[] = {SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGQUIT, SIGSYS};
static const int notice_signals[] = {SIGWINCH, SIGCONT, SIGTSTP, SIGINT, SIGTERM, SIGHUP};
enum { fatal_count = sizeof fatal_signals / sizeof *fatal_signals };
enum { notice_count = sizeof notice_signals / sizeof *notice_signals };

static int is_open;
static atomic_int is_taken;  // 1 while raw mode and the alternate screen are set
static atomic_int is_ending; // 1 after the first signal that asks the program to end
static int input_fd = -1, output_fd = -1;
static struct termios cooked, raw;
static char enter_sequence[sequence_limit], leave_sequence[sequence_limit];
static int notice_reader = -1;
static atomic_int notice_writer = -1; // other threads and signal handlers use it at any time
static int errors_fd = -1, stderr_copy = -1;
static struct sigaction old_fatal[fatal_count], old_notice[notice_count];

static int write_all(int descriptor, const char *bytes, size_t count, atomic_int *condition) {
    while (count > 0 && (condition == NULL || atomic_load(condition))) {
        ssize_t written = write(descriptor, bytes, count);
        if (written >= 0) {
            bytes += written;
            count -= (size_t)written;
        } else if (errno == EAGAIN) {
            struct pollfd room = {descriptor, POLLOUT, 0};
            poll(&room, 1, 1000);
        } else if (errno != EINTR) {
            return errno;
        }
    }
    return 0;
}

static int set_modes(const struct termios *modes, int when) {
    while (tcsetattr(input_fd, when, modes) != 0) {
        if (errno != EINTR) return errno;
    }
    return 0;
}

// What was printed while the alternate screen hid it, now that it can be read.
static void replay_errors(void) {
    if (errors_fd < 0) return;
    dup2(stderr_copy, STDERR_FILENO);
    off_t end = lseek(errors_fd, 0, SEEK_END);
    off_t from = end > errors_shown ? end - errors_shown : 0;
    char chunk[1024];
    ssize_t count;
    while ((count = pread(errors_fd, chunk, sizeof chunk, from)) > 0) {
        write_all(STDERR_FILENO, chunk, (size_t)count, NULL);
        from += count;
    }
    if (ftruncate(errors_fd, 0) != 0) return; // at worst a line is shown twice
}

// Drops what the terminal still sends, such as the rest of a pasted text, until it is quiet: else the shell would take
// it for commands. A terminal that keeps on sending is not waited for without end.
static void drop_input(void) {
    enum { first_quiet = 50, later_quiet = 200, longest_seconds = 2 };
    struct timespec start, now;
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (int quiet = first_quiet;; quiet = later_quiet) {
        char bytes[4096];
        struct pollfd terminal = {input_fd, POLLIN, 0};
        int count = poll(&terminal, 1, quiet);
        if (count == 0 || (count < 0 && errno != EINTR)) return;
        if (count > 0 && read(input_fd, bytes, sizeof bytes) <= 0) return; // the terminal has gone away
        clock_gettime(CLOCK_MONOTONIC, &now);
        if (now.tv_sec - start.tv_sec > longest_seconds) return;
    }
}

// Async-signal-safe. The exchange lets exactly one of several threads, handlers and atexit do it.
static void give_back(void) {
    if (!atomic_exchange(&is_taken, 0)) return;
    int error = errno;
    write_all(output_fd, leave_sequence, strlen(leave_sequence), NULL);
    // In the background the modes belong to the shell, and setting them would stop the process. A terminal that
    // does not control the process has no background.
    pid_t foreground = tcgetpgrp(input_fd);
    if (foreground < 0 || foreground == getpgrp()) {
        drop_input();
        set_modes(&cooked, TCSAFLUSH);
    }
    replay_errors();
    errno = error;
}

static void on_fatal(int number, siginfo_t *cause, void *context) {
    (void)context;
    give_back();
    for (int i = 0; i < fatal_count; i++) {
        if (fatal_signals[i] == number) sigaction(number, &old_fatal[i], NULL);
    }
    // A fault repeats itself under the old handler, with its true address and registers; the others are sent again.
    int repeats = number == SIGSEGV || number == SIGBUS || number == SIGILL || number == SIGFPE;
    if (!repeats || cause->si_code <= 0) raise(number);
}

static char notice_of(int number) {
    switch (number) {
    case SIGWINCH: return CTERMINAL_RESIZED;
    case SIGCONT: return CTERMINAL_CONTINUED;
    case SIGTSTP: return CTERMINAL_STOP_REQUESTED;
    case SIGINT: return CTERMINAL_INTERRUPTED;
    case SIGTERM: return CTERMINAL_TERMINATED;
    default: return CTERMINAL_HUNG_UP;
    }
}

static void on_notice(int number) {
    int error = errno;
    // Asked twice, the program is too busy to obey: then the signal does what it does by itself. A terminal that goes
    // away asks twice by itself, through the kernel and through the shell: its signal alone is no impatience.
    int ends = number == SIGINT || number == SIGTERM || number == SIGHUP;
    if (ends && atomic_exchange(&is_ending, 1) && number != SIGHUP) {
        give_back();
        signal(number, SIG_DFL);
        raise(number); // delivered when this handler returns
    } else {
        cterminal_notify(notice_of(number));
    }
    errno = error;
}

// A signal that is ignored, as under nohup, is ignored on purpose.
static void install(int number, const struct sigaction *action, struct sigaction *old) {
    sigaction(number, NULL, old);
    if (old->sa_handler != SIG_IGN) sigaction(number, action, NULL);
}

static void install_handlers(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_sigaction = on_fatal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    for (int i = 0; i < fatal_count; i++) install(fatal_signals[i], &action, &old_fatal[i]);
    action.sa_handler = on_notice;
    action.sa_flags = SA_RESTART | SA_ONSTACK;
    for (int i = 0; i < notice_count; i++) install(notice_signals[i], &action, &old_notice[i]);
}

// Without a stack of its own the handler could not run after the thread's stack overflowed.
static void provide_signal_stack(void) {
    static char memory[64 * 1024];
    stack_t now;
    if (sigaltstack(NULL, &now) == 0 && (now.ss_flags & SS_DISABLE)) {
        stack_t ours = {.ss_sp = memory, .ss_size = sizeof memory, .ss_flags = 0};
        sigaltstack(&ours, NULL);
    }
}

static int open_errors_file(void) {
#ifdef __linux__
    int descriptor = memfd_create("stderr", MFD_CLOEXEC);
#else
    // Elsewhere no file lives in memory alone: one without a name comes nearest, for anybody who reads the folder.
    FILE *file = tmpfile();
    int descriptor = file == NULL ? -1 : fcntl(fileno(file), F_DUPFD_CLOEXEC, 0);
    if (file != NULL) fclose(file);
#endif
    if (descriptor >= 0) fcntl(descriptor, F_SETFL, O_RDWR | O_APPEND);
    return descriptor;
}

static int open_notice_pipe(void) {
    if (notice_reader >= 0) return 0; // it lives as long as the process, so that a late notice harms nobody
    int ends[2];
    if (pipe(ends) != 0) return errno;
    for (int i = 0; i < 2; i++) {
        fcntl(ends[i], F_SETFD, FD_CLOEXEC);
        fcntl(ends[i], F_SETFL, O_NONBLOCK);
    }
    notice_reader = ends[0];
    atomic_store(&notice_writer, ends[1]);
    return 0;
}

int cterminal_open(int input, int output, const char *enter, const char *leave) {
    static int is_registered;
    if (is_open) return CTERMINAL_BUSY;
    if (strlen(enter) >= sequence_limit || strlen(leave) >= sequence_limit) return EINVAL;
    if (tcgetattr(input, &cooked) != 0) return errno;
    int error = open_notice_pipe();
    if (error != 0) return error;
    strcpy(enter_sequence, enter);
    strcpy(leave_sequence, leave);
    input_fd = input;
    output_fd = output;
    raw = cooked;
    cfmakeraw(&raw);
    raw.c_cc[VMIN] = 0;
    raw.c_cc[VTIME] = 0;
    if (errors_fd < 0 && isatty(STDERR_FILENO)) {
        stderr_copy = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 10);
        errors_fd = stderr_copy < 0 ? -1 : open_errors_file();
    }
    atomic_store(&is_ending, 0);
    provide_signal_stack();
    install_handlers();
    if (!is_registered) is_registered = atexit(give_back) == 0;
    is_open = 1;
    error = cterminal_resume();
    if (error != 0) cterminal_close();
    return error;
}

void cterminal_close(void) {
    if (!is_open) return;
    give_back();
    for (int i = 0; i < fatal_count; i++) sigaction(fatal_signals[i], &old_fatal[i], NULL);
    for (int i = 0; i < notice_count; i++) sigaction(notice_signals[i], &old_notice[i], NULL);
    is_open = 0;
}

int cterminal_resume(void) {
    int error = set_modes(&raw, TCSANOW);
    if (error != 0) return error == EIO ? CTERMINAL_CLOSED : error;
    if (errors_fd >= 0) dup2(errors_fd, STDERR_FILENO);
    atomic_store(&is_taken, 1);
    error = write_all(output_fd, enter_sequence, strlen(enter_sequence), NULL);
    return error == EIO ? CTERMINAL_CLOSED : error;
}

void cterminal_suspend(int whole_group) {
    struct sigaction action, ours;
    sigset_t stop, mask;
    sigaction(SIGTSTP, NULL, &ours);
    if (ours.sa_handler == SIG_IGN) return; // started without job control
    give_back();
    // Ignored here for a moment, the signal stops the rest of the group; then it stops this process, before
    // `raise` returns. Sent to the group alone it might arrive only after the terminal was taken again.
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_handler = SIG_IGN;
    sigaction(SIGTSTP, &action, NULL);
    if (whole_group) kill(0, SIGTSTP);
    action.sa_handler = SIG_DFL;
    sigaction(SIGTSTP, &action, NULL);
    sigemptyset(&stop);
    sigaddset(&stop, SIGTSTP);
    pthread_sigmask(SIG_UNBLOCK, &stop, &mask);
    raise(SIGTSTP);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    sigaction(SIGTSTP, &ours, NULL);
}

int cterminal_wait(int milliseconds) {
    struct pollfd descriptors[] = {{notice_reader, POLLIN, 0}, {input_fd, POLLIN, 0}};
    int count = poll(descriptors, 2, milliseconds);
    if (count < 0) return errno == EINTR ? CTERMINAL_HAS_NOTICES : -errno; // the signal left a notice
    int ready = descriptors[0].revents ? CTERMINAL_HAS_NOTICES : 0;
    if (descriptors[1].revents & POLLIN) ready |= CTERMINAL_HAS_INPUT;
    if (descriptors[1].revents & (POLLHUP | POLLERR | POLLNVAL)) ready |= CTERMINAL_INPUT_CLOSED;
    return ready;
}

static size_t read_some(int descriptor, unsigned char *bytes, size_t count) {
    ssize_t result = read(descriptor, bytes, count);
    return result > 0 ? (size_t)result : 0;
}

size_t cterminal_read_input(unsigned char *bytes, size_t count) { return read_some(input_fd, bytes, count); }

size_t cterminal_read_notices(unsigned char *bytes, size_t count) { return read_some(notice_reader, bytes, count); }

void cterminal_notify(char notice) {
    int writer = atomic_load(&notice_writer);
    if (writer < 0) return;
    if (write(writer, &notice, 1) < 0) return; // full: the reader has enough to wake up for
}

int cterminal_draw(const void *bytes, size_t count) { return write_all(output_fd, bytes, count, &is_taken); }

int cterminal_is_terminal(int descriptor) { return isatty(descriptor); }

int cterminal_size(int descriptor, int *columns, int *rows) {
    struct winsize size;
    if (ioctl(descriptor, TIOCGWINSZ, &size) != 0) return errno;
    if (size.ws_col == 0 || size.ws_row == 0) return ENOTTY;
    *columns = size.ws_col;
    *rows = size.ws_row;
    return 0;
}

void cterminal_trim_errors(void) {
    static char last[errors_shown];
    struct stat status;
    if (errors_fd < 0 || fstat(errors_fd, &status) != 0 || status.st_size <= errors_kept) return;
    ssize_t count = pread(errors_fd, last, sizeof last, status.st_size - errors_shown);
    if (count <= 0 || ftruncate(errors_fd, 0) != 0) return;
    write_all(errors_fd, last, (size_t)count, NULL);
}
