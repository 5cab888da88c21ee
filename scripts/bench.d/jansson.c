/* The peer of `scripts/bench json`: jansson reading and writing one file.
 *
 *   jansson FILE     does what each line of stdin says, "read" or "write", for 20 ms and answers
 *                    with the nanoseconds of one time
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const long long TURN = 20000000;

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static json_t *parse(const char *text, size_t length) {
    json_error_t error;
    json_t *value = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
    if (value == NULL) {
        fprintf(stderr, "jansson: %s at line %d\n", error.text, error.line);
        exit(1);
    }
    return value;
}

int main(int count, char **arguments) {
    FILE *file = count == 2 ? fopen(arguments[1], "rb") : NULL;
    if (file == NULL) return 64;
    static char text[1 << 24];
    size_t length = fread(text, 1, sizeof text, file);
    fclose(file);

    json_t *document = parse(text, length);
    char line[64];
    while (fgets(line, sizeof line, stdin) != NULL) {
        long long start = now();
        long long times = 0;
        do {
            if (strcmp(line, "read\n") == 0) {
                json_decref(parse(text, length));
            } else {
                char *written = json_dumps(document, JSON_SORT_KEYS | JSON_COMPACT);
                if (written == NULL) return 1;
                free(written);
            }
            times++;
        } while (now() - start < TURN);
        printf("%lld\n", (now() - start) / times);
        fflush(stdout);
    }
    json_decref(document);
    return 0;
}
