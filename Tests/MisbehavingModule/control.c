// What the module was told to do, and the record of what it was asked.
//
//   fail FUNCTION FIRST COUNT CODE    calls FIRST … FIRST+COUNT-1 answer CODE; COUNT 0: for ever
//   hang FUNCTION FIRST               that call never returns
//   chat FUNCTION FIRST               that call writes to standard output and to standard error
//   exit FUNCTION FIRST               that call ends the process with status 0
//   slow FUNCTION MILLISECONDS        each call takes so long
//   lose FUNCTION FIRST CODE TIMES    at that call the token goes: CODE from everything until it is
//                                     initialised anew, which fails the first TIMES times
// Calls are counted from 1 and over the life of the process.
#define _GNU_SOURCE
#include "misbehaving.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static char text[16384];
static char *lines[256];
static size_t line_count;

static struct {
    char name[40];
    unsigned long calls;
} counted[80];

static CK_RV lost;
static unsigned long lost_times;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

const char *beside(const char *suffix) {
    static _Thread_local char path[4096];
    Dl_info information;
    dladdr((void *)beside, &information);
    snprintf(path, sizeof path, "%s.%s", information.dli_fname, suffix);
    return path;
}

void read_control(void) {
    line_count = 0;
    int file = open(beside("control"), O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    text[length < 0 ? 0 : length] = 0;
    char *rest = text, *line;
    while ((line = strsep(&rest, "\n")) != NULL && line_count < 256)
        if (*line) lines[line_count++] = line;
}

const char *said(const char *word) {
    size_t length = strlen(word);
    for (size_t i = 0; i < line_count; i++) {
        if (strncmp(lines[i], word, length) != 0) continue;
        if (lines[i][length] == ' ') return lines[i] + length + 1;
        if (lines[i][length] == 0) return "";
    }
    return NULL;
}

bool said_is(const char *word, const char *value) {
    size_t length = strlen(word);
    for (size_t i = 0; i < line_count; i++)
        if (strncmp(lines[i], word, length) == 0 && lines[i][length] == ' '
            && strcmp(lines[i] + length + 1, value) == 0)
            return true;
    return false;
}

unsigned long said_number(const char *word, unsigned long otherwise) {
    const char *value = said(word);
    return value ? strtoul(value, NULL, 0) : otherwise;
}

void record(const char *function, CK_RV code) {
    char line[128];
    int length =
        snprintf(line, sizeof line, "%d %s 0x%lx\n", (int)getpid(), function, (long)code);
    int file = open(beside("log"), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0) return;
    if (write(file, line, (size_t)length) != length) abort();
    close(file);
}

static void wait_milliseconds(unsigned long time) {
    struct timespec pause = {(time_t)(time / 1000), (long)(time % 1000) * 1000000};
    nanosleep(&pause, NULL);
}

static unsigned long count_call(const char *function) {
    pthread_mutex_lock(&lock);
    size_t i = 0;
    while (counted[i].name[0] && strcmp(counted[i].name, function) != 0) i++;
    strncpy(counted[i].name, function, sizeof counted[i].name - 1);
    unsigned long calls = ++counted[i].calls;
    pthread_mutex_unlock(&lock);
    return calls;
}

void found_again(void) {
    lost = CKR_OK;
}

CK_RV injected(const char *function) {
    unsigned long call = count_call(function);
    bool initialises = strcmp(function, "C_Initialize") == 0;
    if (lost != CKR_OK && initialises && lost_times > 0) {
        lost_times--;
        return CKR_GENERAL_ERROR;
    }
    if (lost != CKR_OK && !initialises && strcmp(function, "C_Finalize") != 0) return lost;
    for (size_t i = 0; i < line_count; i++) {
        char verb[16], name[40], code[24] = "", times[24] = "";
        unsigned long first;
        int found = sscanf(
            lines[i], "%15s %39s %lu %23s %23s", verb, name, &first, code, times);
        if (found < 3 || strcmp(name, function) != 0) continue;
        if (strcmp(verb, "slow") == 0) wait_milliseconds(first);
        if (strcmp(verb, "exit") == 0 && call >= first) exit(0);
        if (strcmp(verb, "chat") == 0 && call >= first) {
            dprintf(STDOUT_FILENO, "module: to standard output\n");
            dprintf(STDERR_FILENO, "module: to standard error\n");
        }
        if (strcmp(verb, "hang") == 0 && call >= first) {
            record(function, CKR_VENDOR_DEFINED);
            for (;;) wait_milliseconds(3600000);
        }
        if (strcmp(verb, "fail") == 0 && found == 5) {
            unsigned long count = strtoul(code, NULL, 0);
            if (call >= first && (count == 0 || call < first + count))
                return strtoul(times, NULL, 0);
        }
        if (strcmp(verb, "lose") == 0 && found == 5 && call == first) {
            lost = strtoul(code, NULL, 0);
            lost_times = strtoul(times, NULL, 0);
            return lost;
        }
    }
    return CKR_OK;
}
