#define _GNU_SOURCE 1

#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int grona_prctl_set_dumpable(int dumpable) {
    return prctl(PR_SET_DUMPABLE, dumpable, 0, 0, 0);
}

int grona_prctl_get_dumpable(void) {
    return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0);
}

int grona_limit_core_to_zero(void) {
    const struct rlimit none = {0, 0};
    return setrlimit(RLIMIT_CORE, &none);
}

long grona_getrandom(void *buffer, size_t count) {
    return getrandom(buffer, count, 0);
}

int grona_openat(int folder, const char *path, int flags, unsigned int mode) {
    return openat(folder, path, flags | O_CLOEXEC | O_NOCTTY, (mode_t)mode);
}

int grona_openat2(
    int folder, const char *path, int flags, unsigned int mode, uint64_t resolve) {
    // struct open_how of <linux/openat2.h>, which older kernel headers do not have.
    struct {
        uint64_t flags;
        uint64_t mode;
        uint64_t resolve;
    } how = {
        .flags = (uint64_t)(unsigned int)(flags | O_CLOEXEC | O_NOCTTY),
        .mode = (flags & O_CREAT) != 0 ? mode : 0,
        .resolve = resolve,
    };
    const long openat2_number = 437;
    return (int)syscall(openat2_number, folder, path, &how, sizeof how);
}

int grona_open_unnamed(int folder, unsigned int mode) {
    return openat(folder, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, (mode_t)mode);
}

int grona_rename_exclusive(
    int old_folder, const char *old_name, int new_folder, const char *new_name) {
    return renameat2(old_folder, old_name, new_folder, new_name, RENAME_NOREPLACE);
}

int grona_set_modified(int descriptor, int64_t seconds, int64_t nanoseconds) {
    const struct timespec times[2] = {
        {.tv_sec = 0, .tv_nsec = UTIME_OMIT},
        {.tv_sec = (time_t)seconds, .tv_nsec = (long)nanoseconds},
    };
    return futimens(descriptor, times);
}

int grona_get_status_flags(int descriptor) {
    return fcntl(descriptor, F_GETFL);
}

int grona_set_status_flags(int descriptor, int flags) {
    return fcntl(descriptor, F_SETFL, flags);
}

int grona_descriptor_is_open(int descriptor) {
    return fcntl(descriptor, F_GETFD) != -1;
}

int grona_duplicate_above(int descriptor, int lowest) {
    return fcntl(descriptor, F_DUPFD_CLOEXEC, lowest);
}

static struct {
    int descriptor, status;
    char words[1024];
    size_t count;
} exit_guard;
static atomic_bool exit_is_ours;

static void end_guarded(void) {
    if (atomic_load(&exit_is_ours)) return;
    if (exit_guard.count > 0
        && write(exit_guard.descriptor, exit_guard.words, exit_guard.count) < 0) {
        // There is nobody else to tell.
    }
    _exit(exit_guard.status);
}

int grona_guard_exit(int descriptor, int status, const char *words, size_t count) {
    exit_guard.descriptor = descriptor;
    exit_guard.status = status;
    exit_guard.count = count < sizeof exit_guard.words ? count : sizeof exit_guard.words;
    if (exit_guard.count > 0) memcpy(exit_guard.words, words, exit_guard.count);
    return atexit(end_guarded);
}

void grona_exit_is_ours(void) {
    atomic_store(&exit_is_ours, 1);
}

int grona_pipe(int ends[2]) {
    int low[2];
    if (pipe2(low, O_CLOEXEC) != 0) {
        return -1;
    }
    ends[0] = grona_duplicate_above(low[0], STDERR_FILENO + 1);
    ends[1] = ends[0] < 0 ? -1 : grona_duplicate_above(low[1], STDERR_FILENO + 1);
    const int failure = errno;
    close(low[0]);
    close(low[1]);
    if (ends[1] >= 0) {
        return 0;
    }
    if (ends[0] >= 0) {
        close(ends[0]);
    }
    errno = failure;
    return -1;
}

unsigned int grona_device_major(uint64_t device) {
    return major((dev_t)device);
}

unsigned int grona_device_minor(uint64_t device) {
    return minor((dev_t)device);
}

int grona_terminal_columns(int descriptor) {
    struct winsize size;
    memset(&size, 0, sizeof size);
    return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

void grona_ignore_broken_pipes(void) {
    signal(SIGPIPE, SIG_IGN);
}

const char *grona_error_text(int number) {
    const char *text = strerrordesc_np(number);
    return text != NULL ? text : "Unknown error";
}

const char *grona_error_name(int number) {
    return strerrorname_np(number);
}

// The signals that end a process which does nothing about them, and that others send.
static const int ending_signals[] = {
    SIGHUP, SIGINT, SIGQUIT, SIGALRM, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ, SIGVTALRM,
    SIGPROF,
};
enum { ending_count = sizeof ending_signals / sizeof ending_signals[0] };

void grona_default_fault_signals(void) {
    static const int faults[] = {
        SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP, SIGSYS};
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        struct sigaction action;
        if (sigaction(faults[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN) {
            signal(faults[i], SIG_DFL);
        }
    }
}

// Children that run: the process number, below zero for a group's leader, and how many
// milliseconds it has to end. One word each, since a signal may come at any time.
enum { most_children = 64 };
static uint64_t children[most_children];

static uint64_t child_word(int target, unsigned int patience) {
    return (uint64_t)patience << 32 | (uint32_t)target;
}

static int child_target(uint64_t word) { return (int)(uint32_t)word; }

static void remember_child(int target, unsigned int patience) {
    for (int i = 0; i < most_children; i++) {
        uint64_t none = 0;
        if (__atomic_compare_exchange_n(
                &children[i], &none, child_word(target, patience), 0, __ATOMIC_SEQ_CST,
                __ATOMIC_SEQ_CST)) {
            return;
        }
    }
}

static void forget_child(int process) {
    for (int i = 0; i < most_children; i++) {
        const int target = child_target(__atomic_load_n(&children[i], __ATOMIC_SEQ_CST));
        if (target == process || target == -process) {
            __atomic_store_n(&children[i], 0, __ATOMIC_SEQ_CST);
        }
    }
}

static int child_runs(int target) {
    siginfo_t info;
    info.si_pid = 0;
    const id_t process = (id_t)(target < 0 ? -target : target);
    return waitid(P_PID, process, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == 0;
}

// Ends the children politely, and then not: in a signal handler, so by simple calls alone.
static void end_children(void) {
    int running = 0;
    for (int i = 0; i < most_children; i++) {
        const uint64_t word = __atomic_load_n(&children[i], __ATOMIC_SEQ_CST);
        if (word != 0) {
            running = 1;
            kill(child_target(word), SIGTERM);
        }
    }
    for (unsigned int waited = 0; running; waited += 5) {
        running = 0;
        for (int i = 0; i < most_children; i++) {
            const uint64_t word = __atomic_load_n(&children[i], __ATOMIC_SEQ_CST);
            const int target = child_target(word);
            if (word == 0) {
                continue;
            }
            if (waited < word >> 32 && child_runs(target)) {
                running = 1;
            } else {
                // What it started, where it leads a group, is ended with it. It is not reaped, so
                // its number is nobody else's.
                kill(target, SIGKILL);
            }
        }
        const struct timespec pause = {0, 5000000};
        if (running) {
            nanosleep(&pause, NULL);
        }
    }
}

static void end_with_children(int number) {
    end_children();
    signal(number, SIG_DFL);
    raise(number);
    // The first process of a container is not ended by signals.
    if (getpid() == 1) {
        _exit(128 + number);
    }
}

// Whatever does something else about a signal, or ignores it (nohup), keeps it.
static void catch_ending_signals(void) {
    struct sigaction action, found;
    memset(&action, 0, sizeof action);
    action.sa_handler = end_with_children;
    sigfillset(&action.sa_mask);
    for (int i = 0; i < ending_count; i++) {
        if (sigaction(ending_signals[i], NULL, &found) == 0 && found.sa_handler == SIG_DFL) {
            sigaction(ending_signals[i], &action, NULL);
        }
    }
}

// Who asks a process to end: an administrator or systemd, a person at a terminal, a terminal that
// goes.
static const int stop_signals[] = {SIGTERM, SIGINT, SIGHUP};
enum { stop_count = sizeof stop_signals / sizeof stop_signals[0] };
static volatile sig_atomic_t stop_noted;

static void note_stop(int number) {
    const int kept = errno;
    (void)number;
    stop_noted = 1;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = end_with_children;
    sigfillset(&action.sa_mask);
    for (int i = 0; i < stop_count; i++) {
        struct sigaction found;
        if (sigaction(stop_signals[i], NULL, &found) == 0 && found.sa_handler == note_stop) {
            sigaction(stop_signals[i], &action, NULL);
        }
    }
    errno = kept;
}

void grona_stop_note(void) {
    struct sigaction action, found;
    memset(&action, 0, sizeof action);
    action.sa_handler = note_stop;
    action.sa_flags = SA_RESTART;
    sigfillset(&action.sa_mask);
    for (int i = 0; i < stop_count; i++) {
        if (sigaction(stop_signals[i], NULL, &found) == 0 && found.sa_handler != SIG_IGN) {
            sigaction(stop_signals[i], &action, NULL);
        }
    }
}

int grona_stop_is_noted(void) { return stop_noted; }

static int spawn_attributes(posix_spawnattr_t *attributes, int own_group) {
    sigset_t set;
    sigemptyset(&set);
    int status = posix_spawnattr_setsigmask(attributes, &set);
    if (status == 0) {
        sigaddset(&set, SIGPIPE);
        status = posix_spawnattr_setsigdefault(attributes, &set);
    }
    if (status == 0) {
        const int group = own_group ? POSIX_SPAWN_SETPGROUP : 0;
        status = posix_spawnattr_setflags(
            attributes, (short)(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group));
    }
    return status;
}

static int spawn_actions(
    posix_spawn_file_actions_t *actions, const char *folder, int input, int output,
    int error_output) {
    int status = folder == NULL ? 0 : posix_spawn_file_actions_addchdir_np(actions, folder);
    if (status == 0) {
        status = posix_spawn_file_actions_adddup2(actions, input, STDIN_FILENO);
    }
    if (status == 0) {
        status = posix_spawn_file_actions_adddup2(actions, output, STDOUT_FILENO);
    }
    if (status == 0) {
        status = posix_spawn_file_actions_adddup2(actions, error_output, STDERR_FILENO);
    }
    if (status == 0) {
        status = posix_spawn_file_actions_addclosefrom_np(actions, STDERR_FILENO + 1);
    }
    return status;
}

int grona_spawn(
    int *process, const char *program, char *const *arguments, char *const *environment,
    const char *folder, int input, int output, int error_output, int own_group,
    unsigned int patience) {
    posix_spawnattr_t attributes;
    int status = posix_spawnattr_init(&attributes);
    if (status != 0) {
        return status;
    }
    posix_spawn_file_actions_t actions;
    status = posix_spawn_file_actions_init(&actions);
    if (status == 0) {
        status = spawn_attributes(&attributes, own_group);
        if (status == 0) {
            status = spawn_actions(&actions, folder, input, output, error_output);
        }
        if (status == 0) {
            pid_t started = 0;
            sigset_t all, before;
            sigfillset(&all);
            catch_ending_signals();
            pthread_sigmask(SIG_SETMASK, &all, &before);
            status = posix_spawnp(&started, program, &actions, &attributes, arguments, environment);
            if (status == 0) {
                remember_child(own_group ? -started : started, patience);
            }
            pthread_sigmask(SIG_SETMASK, &before, NULL);
            *process = started;
        }
        posix_spawn_file_actions_destroy(&actions);
    }
    posix_spawnattr_destroy(&attributes);
    return status;
}

int grona_process_descriptor(int process) {
    const long pidfd_open_number = 434;
    return (int)syscall(pidfd_open_number, process, 0);
}

int grona_wait_without_blocking(int process, int own_group, int *status) {
    siginfo_t info;
    info.si_pid = 0;
    if (waitid(P_PID, (id_t)process, &info, WEXITED | WNOHANG | WNOWAIT) != 0) {
        return -1;
    }
    if (info.si_pid == 0) {
        return 0;
    }
    if (own_group) {
        kill(-process, SIGKILL);
    }
    forget_child(process);
    const pid_t ended = waitpid(process, status, WNOHANG);
    return ended > 0 ? 1 : ended;
}

int grona_wait_status_exited(int status) { return WIFEXITED(status); }
int grona_wait_status_exit_code(int status) { return WEXITSTATUS(status); }
int grona_wait_status_signal(int status) { return WTERMSIG(status); }

static const int noted_signals[] = {
    SIGHUP, SIGINT, SIGQUIT, SIGALRM, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ, SIGVTALRM,
    SIGPROF, SIGTSTP, SIGTTIN, SIGTTOU,
};
enum { noted_count = sizeof noted_signals / sizeof noted_signals[0] };

static volatile sig_atomic_t noted[noted_count];
static struct sigaction before[noted_count];

static void note(int number) {
    for (int i = 0; i < noted_count; i++) {
        if (noted_signals[i] == number) {
            noted[i] = 1;
        }
    }
}

void grona_signal_notes_begin(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = note;
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < noted_count; i++) {
        noted[i] = 0;
        sigaction(noted_signals[i], NULL, &before[i]);
        // What the caller ignores (nohup) stays ignored.
        if (before[i].sa_handler != SIG_IGN) {
            sigaction(noted_signals[i], &action, NULL);
        }
    }
}

int grona_signal_notes_take(void) {
    for (int i = 0; i < noted_count; i++) {
        if (noted[i]) {
            noted[i] = 0;
            return noted_signals[i];
        }
    }
    return 0;
}

void grona_signal_notes_end(void) {
    for (int i = 0; i < noted_count; i++) {
        sigaction(noted_signals[i], &before[i], NULL);
    }
}

int grona_start_thread(void *(*body)(void *), void *argument) {
    pthread_attr_t attributes;
    int failure = pthread_attr_init(&attributes);
    if (failure != 0) return failure;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    failure = pthread_create(&thread, &attributes, body, argument);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return failure;
}

int grona_thread_id(void) {
    return (int)syscall(SYS_gettid);
}

void grona_processor_share(int thread, int *processor, struct grona_processors *before) {
    cpu_set_t *kept = (cpu_set_t *)before->words;
    before->is_kept = 0;
    const int here = sched_getcpu();
    if (thread <= 0 || here < 0 || here >= CPU_SETSIZE) return;
    if (sched_getaffinity(0, sizeof before->words, kept) != 0) return;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(here, &one);
    if (CPU_COUNT(kept) > 1) {
        if (sched_setaffinity(0, sizeof one, &one) != 0) return;
        before->is_kept = 1;
    }
    if (*processor != here && sched_setaffinity(thread, sizeof one, &one) == 0) *processor = here;
}

void grona_processor_leave(const struct grona_processors *before) {
    if (before->is_kept) sched_setaffinity(0, sizeof before->words, (const cpu_set_t *)before->words);
}

static const uint32_t sleeping = 0x80000000;

static uint64_t monotonic(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void wake(uint32_t *word, uint32_t before) {
    if (before & sleeping) syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

void grona_word_set(uint32_t *word, uint32_t value) {
    wake(word, __atomic_exchange_n(word, value, __ATOMIC_ACQ_REL));
}

int grona_word_replace(uint32_t *word, uint32_t expected, uint32_t value) {
    uint32_t seen = __atomic_load_n(word, __ATOMIC_ACQUIRE);
    while ((seen & ~sleeping) == expected) {
        if (__atomic_compare_exchange_n(
                word, &seen, value, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
            wake(word, seen);
            return 1;
        }
    }
    return 0;
}

uint32_t grona_word_wait(uint32_t *word, uint32_t unwanted, uint64_t deadline) {
    uint32_t seen = __atomic_load_n(word, __ATOMIC_ACQUIRE);
    while ((seen & ~sleeping) == unwanted && monotonic() < deadline) {
        if (!(seen & sleeping)
            && !__atomic_compare_exchange_n(
                word, &seen, seen | sleeping, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
            continue;
        }
        const struct timespec end = {
            (time_t)(deadline / 1000000000), (long)(deadline % 1000000000)};
        syscall(
            SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE, unwanted | sleeping,
            deadline == UINT64_MAX ? NULL : &end, NULL, FUTEX_BITSET_MATCH_ANY);
        seen = __atomic_load_n(word, __ATOMIC_ACQUIRE);
    }
    return seen & ~sleeping;
}
