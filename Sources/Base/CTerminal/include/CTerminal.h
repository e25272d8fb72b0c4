#ifndef CTERMINAL_H
#define CTERMINAL_H

#include <stddef.h>

// A terminal's modes, changed and restored. All state is static plain C, because signal handlers
// touch it: whatever ends the process, the terminal is given back as it was found.
// A process has at most one open terminal. Unless said otherwise, a function belongs to the thread
// that opened it.

/// The notices that `cterminal_read_notices` delivers, one byte each.
enum cterminal_notice {
    CTERMINAL_WOKEN = 'k',
    CTERMINAL_RESIZED = 'w',
    CTERMINAL_CONTINUED = 'c',
    CTERMINAL_STOP_REQUESTED = 'z',
    CTERMINAL_INTERRUPTED = 'i',
    CTERMINAL_TERMINATED = 't',
    CTERMINAL_HUNG_UP = 'h',
};

/// Puts the terminal into raw mode, writes `enter`, and installs the signal handlers.
/// `leave` is written when the terminal is given back. Both are at most 255 bytes.
/// While the terminal is open and standard error is a terminal, what is printed there is kept
/// aside and shown afterwards, the last 16 KiB of it.
/// Returns 0, the error number, or `CTERMINAL_BUSY` if a terminal is open already.
enum { CTERMINAL_BUSY = -1 };
int cterminal_open(int input, int output, const char *enter, const char *leave);

/// Gives the terminal back and restores the signal handlers. Does nothing if none is open.
void cterminal_close(void);

/// Gives the terminal back and stops the process (with its group, if asked) until it is continued.
/// Returns at once in an orphaned process group, which nobody could continue.
void cterminal_suspend(int whole_group);

/// Takes the terminal again after the process was stopped.
/// Returns 0, the error number, or `CTERMINAL_CLOSED` if the terminal was closed in the meantime.
enum { CTERMINAL_CLOSED = -2 };
int cterminal_resume(void);

/// What `cterminal_wait` found, as bits.
enum cterminal_ready {
    CTERMINAL_HAS_NOTICES = 1,
    CTERMINAL_HAS_INPUT = 2,
    CTERMINAL_INPUT_CLOSED = 4,
};

/// Waits until there is something to read, at most for a time; a negative one means without end.
/// Returns the bits of what there is, 0 when the time was up, or minus the error number.
int cterminal_wait(int milliseconds);

/// Reads the bytes that were typed, without waiting. Returns their number, 0 if there are none.
size_t cterminal_read_input(unsigned char *bytes, size_t count);

/// Reads the notices that came, without waiting. Returns their number.
size_t cterminal_read_notices(unsigned char *bytes, size_t count);

/// Writes a notice. Any thread may call it, at any time, also after `cterminal_close`.
void cterminal_notify(char notice);

/// Writes all bytes to the open terminal, waiting for room. Writes nothing once it was given back.
/// Returns 0 or the error number.
int cterminal_draw(const void *bytes, size_t count);

/// Whether a descriptor is a terminal.
int cterminal_is_terminal(int descriptor);

/// The terminal's columns and rows. Returns 0, or the error number; ENOTTY where it has no size.
int cterminal_size(int descriptor, int *columns, int *rows);

/// Drops the older part of what was printed to standard error, when it grows beyond 64 KiB.
void cterminal_trim_errors(void);

#endif
