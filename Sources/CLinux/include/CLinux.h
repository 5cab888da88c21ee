// What Swift cannot reach by itself in glibc: variadic calls, complex macros and names behind
// _GNU_SOURCE. The header includes no system header that such a macro would change, since the
// module for Swift's Glibc is built without it; so the functions stand in CLinux.c. Each is one
// call with the types written out, and leaves errno as that call does.
#ifndef GRONA_CLINUX_H
#define GRONA_CLINUX_H

#include <stddef.h>
#include <stdint.h>

int grona_prctl_set_dumpable(int dumpable);
int grona_prctl_get_dumpable(void);
int grona_limit_core_to_zero(void);

long grona_getrandom(void *buffer, size_t count);

// Every descriptor is close-on-exec and never becomes a controlling terminal.
int grona_openat(int folder, const char *path, int flags, unsigned int mode);
int grona_openat2(
    int folder, const char *path, int flags, unsigned int mode, uint64_t resolve);
// An unnamed file (O_TMPFILE) in the folder.
int grona_open_unnamed(int folder, unsigned int mode);

enum {
    GRONA_RESOLVE_NO_MAGICLINKS = 0x02,
    GRONA_RESOLVE_NO_SYMLINKS = 0x04,
    GRONA_RESOLVE_BENEATH = 0x08,
};

// renameat2 with RENAME_NOREPLACE.
int grona_rename_exclusive(
    int old_folder, const char *old_name, int new_folder, const char *new_name);

// futimens that leaves the time of the last access alone.
int grona_set_modified(int descriptor, int64_t seconds, int64_t nanoseconds);

int grona_get_status_flags(int descriptor);
int grona_set_status_flags(int descriptor, int flags);
int grona_descriptor_is_open(int descriptor);
int grona_duplicate_above(int descriptor, int lowest);

// From now on an exit of the process that was not announced with grona_exit_is_ours, such as by a
// library, writes these words (at most 1024 bytes) and ends with this status, ahead of the exit
// handlers that were there before.
int grona_guard_exit(int descriptor, int status, const char *words, size_t count);
void grona_exit_is_ours(void);

// Both ends of a pipe, close-on-exec, with numbers above the standard descriptors.
int grona_pipe(int ends[2]);

unsigned int grona_device_major(uint64_t device);
unsigned int grona_device_minor(uint64_t device);

// Columns of the terminal, or 0.
int grona_terminal_columns(int descriptor);

void grona_ignore_broken_pipes(void);

// Gives the signals of faults (SIGSEGV, SIGABRT, …) and SIGQUIT their default action where they are
// not ignored, instead of a handler that a runtime has put there.
void grona_default_fault_signals(void);

// The text of an error number; never NULL, not translated.
const char *grona_error_text(int number);
// The name of an error number, such as "ENOENT"; NULL when there is none.
const char *grona_error_name(int number);

// Starts a program with the three standard descriptors given, all others closed, no signal
// blocked and SIGPIPE at its default, on demand as the leader of a new process group and in another
// folder (NULL for this one); the answer is 0 or an error number. A name without a slash is looked
// for in PATH.
//
// A signal that ends this process (SIGTERM, SIGINT, …; not SIGKILL) ends the child first: it gets
// SIGTERM, and SIGKILL after `patience` milliseconds.
int grona_spawn(
    int *process, const char *program, char *const *arguments, char *const *environment,
    const char *folder, int input, int output, int error_output, int own_group,
    unsigned int patience);

// A descriptor that is readable when the process has ended; -1 with errno.
int grona_process_descriptor(int process);
// 1 and the status when the process has ended, 0 while it runs, -1 with errno. What is left of a
// group of its own is ended with SIGKILL before the process is reaped: until then the number cannot
// be another's.
int grona_wait_without_blocking(int process, int own_group, int *status);
int grona_wait_status_exited(int status);
int grona_wait_status_exit_code(int status);
int grona_wait_status_signal(int status);

// Notes signals for the time of a prompt, so that the terminal can be put right before they act.
void grona_signal_notes_begin(void);
// The next noted signal, or 0.
int grona_signal_notes_take(void);
void grona_signal_notes_end(void);

// From now on the first SIGTERM, SIGINT or SIGHUP is only noted, for a process that ends by itself as
// soon as what it has begun is done; the next one ends it, with its children. What is ignored (nohup)
// stays ignored.
void grona_stop_note(void);
int grona_stop_is_noted(void);

// Starts a detached thread with every signal blocked; the answer is 0 or an error number.
int grona_start_thread(void *(*body)(void *), void *argument);
// The calling thread, as the kernel numbers it.
int grona_thread_id(void);

// Where a thread may run.
struct grona_processors {
    uint64_t words[16];
    int is_kept;
};
// Keeps the calling thread on its processor and puts another thread of this process there, too;
// *processor is where that one was put last, -1 at first. Where it is not allowed, nothing changes.
void grona_processor_share(int thread, int *processor, struct grona_processors *before);
// Lets the calling thread run where it might before.
void grona_processor_leave(const struct grona_processors *before);

// A word that two threads hand to and fro. Its highest bit says that somebody sleeps on it.
// Stores a value and wakes who waits.
void grona_word_set(uint32_t *word, uint32_t value);
// The same where the word is `expected`; 1 when it was.
int grona_word_replace(uint32_t *word, uint32_t expected, uint32_t value);
// Waits until the word is another than `unwanted` or the deadline (monotonic, nanoseconds) has come;
// gives the word.
uint32_t grona_word_wait(uint32_t *word, uint32_t unwanted, uint64_t deadline);

#endif
