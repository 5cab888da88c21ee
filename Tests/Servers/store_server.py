#!/usr/bin/env python3
"""A small store over HTTP for tests, which on demand misbehaves in one way.

  store_server.py [--fault NAME] [--on METHOD:SUFFIX] [--times N] [--token T] [--s3]
                  [--tls CERTIFICATE KEY] [--wait SECONDS] [--status N] [--retry-after TEXT]
                  [--date-offset=SECONDS]
                  [--delay SECONDS]

It keeps objects in memory, holds If-Match and If-None-Match under one lock, and prints its port.
It ends when its standard input ends. `GET /-/log` gives, as JSON, every change of an object
(path, digest, tag) and every request (method, path, status); `PUT /-/object/PATH` stores without a
condition, `PUT /-/fault` sets the fault for what follows. A fault holds for the first N requests
(0: all) with that method, on a path with that ending. `GET /-/objects` gives everything that is
stored, `PUT /-/objects` takes it back. Every answer waits for --delay.
"""

import argparse
import base64
import email.utils
import gzip
import hashlib
import http.server
import json
import os
import socket
import ssl
import struct
import sys
import threading
import time
import urllib.parse
import xml.sax.saxutils

LOCK = threading.Lock()
OBJECTS = {}
CHANGES = []
REQUESTS = []
FAULT = {}


def set_fault(text):
    """`NAME [METHOD:SUFFIX [N]]`."""
    words = (text.split() + ["", "", ""])[:3]
    FAULT.update(name=words[0], on=words[1] or ":", left=int(words[2] or 0), seen=0)


class Store(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 30

    def log_message(self, *arguments):
        pass

    def has_fault(self, *names):
        if FAULT["name"] not in names:
            return False
        method, suffix = FAULT["on"].split(":", 1)
        path = urllib.parse.urlsplit(self.path).path
        if (method and method != self.command) or not path.endswith(suffix):
            return False
        with LOCK:
            if FAULT["left"] and FAULT["seen"] >= FAULT["left"]:
                return False
            FAULT["seen"] += 1
        return True

    def answer(self, status, body=b"", fields=(), length=None, kind=None):
        REQUESTS.append([self.command, self.path, status, dict(self.headers.items())])
        self.send_response(status)
        for name, value in fields:
            self.send_header(name, value)
        if kind:
            self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def date_time_string(self, timestamp=None):
        return super().date_time_string((timestamp or time.time()) + OPTIONS.date_offset)

    def delay(self):
        if OPTIONS.delay and "/grona-probe/" not in self.path:
            time.sleep(OPTIONS.delay)

    def cut(self):
        """Ends the connection at once."""
        REQUESTS.append([self.command, self.path, 0, dict(self.headers.items())])
        self.close_connection = True
        try:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
        except OSError:
            pass

    def tag(self, entry):
        weak = FAULT["name"] == "weak-tag" and time.time() - entry["at"] < OPTIONS.wait
        always = FAULT["name"] == "always-weak"
        return ("W/" if weak or always else "") + '"%s"' % entry["tag"]

    def authorized(self):
        if OPTIONS.token is None or self.command in ("GET", "HEAD") and OPTIONS.open:
            return True
        return self.headers.get("Authorization") == "Bearer " + OPTIONS.token

    # What goes wrong before anything is done.
    def refuses(self):
        if self.has_fault("drop-before"):
            self.cut()
        elif self.has_fault("status"):
            fields = [("Retry-After", OPTIONS.retry_after)] if OPTIONS.retry_after else []
            self.answer(OPTIONS.status, b"no\n", fields, kind="text/plain")
        elif self.has_fault("html"):
            self.answer(200, b"<!DOCTYPE html><title>Sign in</title>", [("ETag", '"page"')],
                        kind="text/html; charset=utf-8")
        elif self.has_fault("redirect"):
            self.answer(307, b"", [("Location", "/elsewhere" + self.path)])
        elif self.has_fault("huge-header"):
            self.answer(200, b"x", [("X-%d" % n, "y" * 4000) for n in range(40)])
        elif self.has_fault("long-header"):
            self.answer(200, b"x", [("X-Long", "y" * 300000)])
        elif self.has_fault("garbage"):
            self.wfile.write(b"\x00\x01\x02 this is no HTTP\r\n\r\n")
            self.close_connection = True
        elif self.has_fault("bomb"):
            self.answer(200, gzip.compress(b"0" * (4 << 20), 1), [("Content-Encoding", "gzip"),
                                                               ("ETag", '"bomb"')])
        elif self.has_fault("large"):
            self.answer(200, b"0" * (2 << 20), [("ETag", '"large"')])
        elif self.has_fault("delay-before"):
            time.sleep(OPTIONS.wait)
            self.cut()
        else:
            return False
        return True

    def do_GET(self):
        if self.path == "/-/log":
            with LOCK:
                text = json.dumps({"changes": CHANGES, "requests": REQUESTS}).encode()
            return self.answer(200, text, kind="application/json")
        if self.path == "/-/objects":
            with LOCK:
                everything = {path: {**entry, "bytes": base64.b64encode(entry["bytes"]).decode()}
                              for path, entry in OBJECTS.items()}
            return self.answer(200, json.dumps(everything).encode(), kind="application/json")
        self.delay()
        if self.refuses():
            return
        if not self.authorized():
            return self.answer(401, b"who?\n")
        url = urllib.parse.urlsplit(self.path)
        query = urllib.parse.parse_qs(url.query, keep_blank_values=True)
        if OPTIONS.s3 and "list-type" in query:
            if self.has_fault("truncate"):
                self.answer(200, b"<ListBucketResult>", length=500, kind="application/xml")
                return self.cut()
            return self.list(url.path, query)
        with LOCK:
            entry = OBJECTS.get(url.path)
            if entry is None:
                return self.answer(404, b"<Error><Code>NoSuchKey</Code></Error>")
            body = entry["bytes"]
            fields = [("ETag", self.tag(entry))] if FAULT["name"] != "no-tag" else []
            if FAULT["name"] == "new-tag" and url.path.endswith("/config"):
                entry["tag"] = os.urandom(8).hex()
            if "versioned" == FAULT["name"]:
                fields.append(("x-amz-version-id", "v%s" % entry["tag"][:8]))
            fields += [(n, v) for n, v in entry["kept"].items() if n != "Content-Type"]
            kind = entry["kept"].get("Content-Type")
            asked = self.headers.get("If-None-Match")
        if asked and asked.removeprefix("W/") == fields[0][1].removeprefix("W/"):
            return self.answer(304, b"", fields)
        if self.has_fault("truncate"):
            self.answer(200, body[: len(body) // 2], fields, length=len(body), kind=kind)
            return self.cut()
        if self.has_fault("short-length"):
            return self.answer(200, body, fields, length=max(0, len(body) - 10), kind=kind)
        if self.has_fault("drip"):
            self.answer(200, body[:1], fields, length=len(body), kind=kind)
            try:
                for byte in body[1:]:
                    time.sleep(0.2)
                    self.wfile.write(bytes([byte]))
                    self.wfile.flush()
            except OSError:
                pass
            return
        if self.has_fault("delay"):
            time.sleep(OPTIONS.wait)
        self.answer(200, body, fields, kind=kind)

    do_HEAD = do_GET

    def list(self, path, query):
        first = lambda name: query.get(name, [""])[0]
        bucket = "/" + path.strip("/") + "/"
        with LOCK:
            keys = sorted(k[len(bucket):] for k in OBJECTS if k.startswith(bucket))
        keys = [k for k in keys if k.startswith(first("prefix")) and k > first("start-after")]
        entries, seen = [], set()
        limit = int(first("max-keys") or 1000)
        for key in keys:
            rest = key[len(first("prefix")):]
            if first("delimiter") and first("delimiter") in rest:
                common = first("prefix") + rest.split(first("delimiter"))[0] + first("delimiter")
                if common not in seen:
                    seen.add(common)
                    entries.append(("CommonPrefixes", "Prefix", common))
            else:
                entries.append(("Contents", "Key", key))
        cut = len(entries) > limit
        text = "".join("<%s><%s>%s</%s></%s>" % (o, i, xml.sax.saxutils.escape(v), i, o)
                       for o, i, v in entries[:limit])
        self.answer(200, ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ListBucketResult xmlns="
                          "\"http://s3.amazonaws.com/doc/2006-03-01/\"><IsTruncated>%s</IsTruncated>"
                          "%s</ListBucketResult>" % (str(cut).lower(), text)).encode(),
                    kind="application/xml")

    def do_PUT(self):
        early = self.condition(self.path) if FAULT["name"] == "check-then-write" else None
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.path == "/-/fault":
            set_fault(body.decode())
            return self.answer(204)
        if self.path == "/-/objects":
            with LOCK:
                OBJECTS.clear()
                for path, entry in json.loads(body).items():
                    OBJECTS[path] = {**entry, "bytes": base64.b64decode(entry["bytes"])}
            return self.answer(204)
        if self.path.startswith("/-/object"):
            with LOCK:
                self.store(self.path[len("/-/object"):], body)
            return self.answer(204)
        self.delay()
        if self.refuses():
            return
        if not self.authorized():
            return self.answer(401, b"who?\n")
        path = urllib.parse.urlsplit(self.path).path
        if early is not None:
            if early == 0:
                time.sleep(0.02)
                with LOCK:
                    self.store(path, body)
            return self.answer(early or 204)
        with LOCK:
            status = self.condition(path)
            created = path not in OBJECTS
            if not status:
                self.store(path, body)
                fields = [("ETag", self.tag(OBJECTS[path]))]
        if status:
            return self.answer(status)
        if self.has_fault("drop-after"):
            return self.cut()
        if self.has_fault("delay-after"):
            time.sleep(OPTIONS.wait)
        if self.has_fault("status-after"):
            return self.answer(OPTIONS.status, b"no\n")
        if self.has_fault("huge-header-after"):
            return self.answer(200, b"x", [("X-%d" % n, "y" * 4000) for n in range(40)])
        if self.has_fault("long-header-after"):
            return self.answer(200, b"x", [("X-Long", "y" * 300000)])
        if self.has_fault("truncate-after"):
            self.answer(200, b"ok", fields, length=1000)
            return self.cut()
        self.answer(201 if created else 204, b"", fields)

    def condition(self, path):
        """0, or the status of a condition that does not hold."""
        name = FAULT["name"]
        if name == "ignore-conditions":
            return 0
        entry = OBJECTS.get(urllib.parse.urlsplit(path).path)
        create, match = self.headers.get("If-None-Match"), self.headers.get("If-Match")
        if create == "*" and entry is not None:
            return 0 if name == "create-wins" else 412
        if match is not None:
            if entry is None:
                return 0 if name == "create-on-match" else 404 if OPTIONS.s3 else 412
            wanted = entry["tag"] if name == "bare-tag" else self.tag(entry)
            if match != wanted or self.tag(entry).startswith("W/"):
                return 412
        return 0

    def store(self, path, body):
        kept = {}
        for field in ("Content-Type", "Cache-Control"):
            if FAULT["name"] != "forgets-fields" and self.headers.get(field):
                kept[field] = self.headers[field]
        tag = hashlib.md5(body).hexdigest()
        OBJECTS[path] = {"bytes": body, "tag": tag, "kept": kept, "at": time.time()}
        CHANGES.append([path, hashlib.sha256(body).hexdigest(), tag])


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request, address):
        pass


def main():
    global OPTIONS
    parser = argparse.ArgumentParser()
    parser.add_argument("--fault", default="")
    parser.add_argument("--on", default=":")
    parser.add_argument("--times", type=int, default=0)
    parser.add_argument("--token")
    parser.add_argument("--open", action="store_true", help="reading needs no token")
    parser.add_argument("--s3", action="store_true")
    parser.add_argument("--tls", nargs=2)
    parser.add_argument("--tls-old", action="store_true")
    parser.add_argument("--wait", type=float, default=1.0)
    parser.add_argument("--delay", type=float, default=0.0)
    parser.add_argument("--status", type=int, default=500)
    parser.add_argument("--retry-after")
    parser.add_argument("--date-offset", type=float, default=0, help="of its clock, in seconds")
    OPTIONS = parser.parse_args()
    set_fault("%s %s %d" % (OPTIONS.fault, OPTIONS.on, OPTIONS.times))
    server = Server(("127.0.0.1", 0), Store)
    if OPTIONS.tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*OPTIONS.tls)
        if OPTIONS.tls_old:
            context.minimum_version = ssl.TLSVersion.TLSv1
            context.maximum_version = ssl.TLSVersion.TLSv1_1
            context.set_ciphers("ALL:@SECLEVEL=0")
        server.socket = context.wrap_socket(
            server.socket, server_side=True, do_handshake_on_connect=False)
    print(server.server_address[1], flush=True)
    threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
    server.serve_forever()


if __name__ == "__main__":
    main()
