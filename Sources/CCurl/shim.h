// The part of libcurl that this project calls.
//
// `curl_easy_setopt` and `curl_easy_getinfo` take a variable argument, which Swift does not import:
// here is one inline function for each type of argument.
#ifndef GRONA_CCURL_SHIM_H
#define GRONA_CCURL_SHIM_H

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

// The two are macros over themselves where the type check is off, too.
#undef curl_easy_setopt
#undef curl_easy_getinfo

static inline CURLcode grona_curl_set_number(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

// For options of type curl_off_t, the names of which end in _LARGE.
static inline CURLcode grona_curl_set_large(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}

// NULL resets the option. libcurl copies the text.
static inline CURLcode grona_curl_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

// libcurl does not copy the bytes.
static inline CURLcode grona_curl_set_body(CURL *handle, const void *bytes, curl_off_t count) {
    const CURLcode code = curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, count);
    return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_POSTFIELDS, bytes) : code;
}

// libcurl does not copy the list.
static inline CURLcode grona_curl_set_headers(CURL *handle, struct curl_slist *list) {
    return curl_easy_setopt(handle, CURLOPT_HTTPHEADER, list);
}

typedef size_t (*grona_curl_data)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode grona_curl_set_writer(CURL *handle, grona_curl_data body, void *context) {
    const CURLcode code = curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, body);
    return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_WRITEDATA, context) : code;
}

static inline CURLcode grona_curl_set_header_reader(
    CURL *handle, grona_curl_data line, void *context) {
    const CURLcode code = curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, line);
    return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_HEADERDATA, context) : code;
}

static inline CURLcode grona_curl_set_body_source(
    CURL *handle, grona_curl_data source, void *context) {
    const CURLcode code = curl_easy_setopt(handle, CURLOPT_READFUNCTION, source);
    return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_READDATA, context) : code;
}

// 0 where there is no answer.
static inline long grona_curl_number(CURL *handle, CURLINFO info) {
    long value = 0;
    return curl_easy_getinfo(handle, info, &value) == CURLE_OK ? value : 0;
}

static inline curl_off_t grona_curl_large(CURL *handle, CURLINFO info) {
    curl_off_t value = 0;
    return curl_easy_getinfo(handle, info, &value) == CURLE_OK ? value : 0;
}

// Sends `Authorization: Bearer TOKEN` and nothing else for it (RFC 6750 2.1).
static inline CURLcode grona_curl_set_bearer(CURL *handle, const char *token) {
    const CURLcode code = curl_easy_setopt(handle, CURLOPT_HTTPAUTH, (long)CURLAUTH_BEARER);
    return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_XOAUTH2_BEARER, token) : code;
}

static inline CURLcode grona_curl_continue(CURL *handle) {
    return curl_easy_pause(handle, CURLPAUSE_CONT);
}

// What the read callback answers to be asked again after `curl_easy_pause`.
static inline size_t grona_curl_read_pause(void) { return CURL_READFUNC_PAUSE; }

static inline CURLcode grona_curl_start(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }

// The transfer of a message that says how it ended; NULL for any other.
static inline CURL *grona_curl_ended(const CURLMsg *message, CURLcode *code) {
    if (message->msg != CURLMSG_DONE) return NULL;
    *code = message->data.result;
    return message->easy_handle;
}

#endif
