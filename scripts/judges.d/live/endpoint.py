"""An https endpoint without TLS for the machine itself: takes PUT under conditions, with a token.

Every PUT is written down with the time, and so is what is posted to /alert. While the file
`hold-GET` or `hold-PUT` is there, such a request of acme-market's config waits, and `held` says so;
`hold-CLAIM` is for the claim of a version.
"""

import hashlib
import http.server
import json
import os
import pathlib
import socket
import sys
import threading
import time

HOME = pathlib.Path(sys.argv[1])
RUN = pathlib.Path("/run/endpoint")
TOKEN = "Bearer token-of-the-store"
lock = threading.Lock()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def place(self):
        return HOME / "store" / self.path.lstrip("/").replace("..", "")

    def held(self):
        claim = "/acme-market/versions/" in self.path and self.command == "PUT"
        gate = RUN / ("hold-CLAIM" if claim else f"hold-{self.command}")
        if not claim and not self.path.endswith("acme-market/config"):
            return
        for _ in range(1500):
            if not gate.exists():
                return
            (RUN / "held").touch()
            time.sleep(0.1)

    def answer(self, status, body=b"", tag=None):
        self.send_response(status)
        self.send_header("Content-Type", "application/jose+json")
        self.send_header("Cache-Control", "public, max-age=60, must-revalidate")
        if tag:
            self.send_header("ETag", tag)
        if status != 304:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if status != 304:
            self.wfile.write(body)

    def do_GET(self):
        self.held()
        try:
            body = self.place().read_bytes()
        except OSError:
            return self.answer(404)
        tag = '"' + hashlib.sha256(body).hexdigest() + '"'
        if self.headers.get("If-None-Match") == tag:
            return self.answer(304, tag=tag)
        return self.answer(200, body, tag)

    def do_PUT(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers.get("Authorization") != TOKEN:
            return self.answer(401)
        self.held()
        with lock:
            place = self.place()
            old = place.read_bytes() if place.exists() else None
            tag = None if old is None else '"' + hashlib.sha256(old).hexdigest() + '"'
            match, none = self.headers.get("If-Match"), self.headers.get("If-None-Match")
            if match is not None and match != tag or none == "*" and old is not None:
                return self.answer(412)
            place.parent.mkdir(parents=True, exist_ok=True)
            new = place.with_name(place.name + ".new")
            new.write_bytes(body)
            os.replace(new, place)
            self.note("puts", {"path": self.path, "body": body.decode()})
        return self.answer(201 if old is None else 204,
                           tag='"' + hashlib.sha256(body).hexdigest() + '"')

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with lock:
            self.note("alerts", {"unit": self.path.partition("?")[2], "body": body.decode()})
        return self.answer(204)

    def note(self, name, record):
        with open(HOME / name, "a", encoding="utf-8") as file:
            file.write(json.dumps(dict(record, time=time.time())) + "\n")

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 8080), Handler)
with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
    # sd_notify(3)
    told.connect(os.environ["NOTIFY_SOCKET"])
    told.send(b"READY=1")
server.serve_forever()
