"""A renderer without pictures, at the other end of the link of `headroom-serve`.

It speaks the form of Sources/ProcessLink: 4 bytes of length, 1 of kind, 4 of the length of JSON, JSON, bytes. The kinds are those of
Sources/PreviewProtocol.
"""
import json
import os
import queue
import socket
import struct
import subprocess
import threading
import time

CONFIGURE, STATE, ACCEPTED, REFUSED, INITIALIZATION, FRAGMENT, STREAM_ENDED, ANSWER, FINISH = range(1, 10)
LISTENING, FAILED, REQUEST, JOINED, LEFT, NEEDS_KEY_FRAME = range(1, 7)
TOKEN = "00112233445566778899aabbccddeeff"
COUNTS = {key: 0 for key in
          "rendered dropped lost recorded unrecorded encoded encodedBytes streams".split()}


class FakeRenderer:
    """Starts the server, answers what it asks, and sends a stream of fragments that hold no video."""

    def __init__(self, program, fragment_bytes=2000, rate=50, **configuration):
        ours, theirs = socket.socketpair()
        self.link = ours
        self.lock = threading.Lock()
        self.process = subprocess.Popen([program], stdin=theirs)
        theirs.close()
        self.joined, self.left, self.asked, self.key_frames = set(), set(), 0, 0
        self.listening = queue.Queue()
        self.fragment_bytes, self.rate = fragment_bytes, rate
        self.wants_key = True
        self.is_over = False
        self.send(CONFIGURE, {
            "address": "127.0.0.1", "port": 0, "hostNames": [], "token": TOKEN, "isReadOnly": False,
            "title": "check", "maximumViewers": 16, **configuration})
        self.send(STATE, COUNTS, b'{"input":"check","frame":0}')
        threading.Thread(target=self.read, daemon=True).start()
        self.url = self.listening.get(timeout=30)
        if self.url is None:
            raise SystemExit("headroom-serve does not listen")
        self.port = int(self.url.split("/")[2].rsplit(":", 1)[1])
        self.send(INITIALIZATION, {"stream": 1}, b"initialization")
        threading.Thread(target=self.stream, daemon=True).start()

    def send(self, kind, values, payload=b""):
        text = json.dumps(values).encode()
        frame = struct.pack(">IBI", 5 + len(text) + len(payload), kind, len(text)) + text + payload
        with self.lock:
            try:
                self.link.sendall(frame)
            except OSError:
                self.is_over = True

    def receive_exactly(self, count):
        data = b""
        while len(data) < count:
            part = self.link.recv(count - len(data))
            if not part:
                return None
            data += part
        return data

    def read(self):
        try:
            while (header := self.receive_exactly(9)) is not None:
                length, kind, json_length = struct.unpack(">IBI", header)
                rest = self.receive_exactly(length - 5)
                if rest is None:
                    break
                self.handle(kind, json.loads(rest[:json_length]))
        except OSError:
            pass
        self.listening.put(None)

    def handle(self, kind, values):
        if kind == LISTENING:
            self.code = values["code"]
            self.listening.put(values["url"])
        elif kind == FAILED:
            print("headroom-serve:", values["reason"])
            self.listening.put(None)
        elif kind == REQUEST:
            self.asked += 1
            name = {"png": "frame.png", "avif": "frame.avif", "exr": "frame.exr"}.get(values["request"]["kind"])
            body = b"picture" * 100 if name else b'{"asked":true}'
            answer = {"request": values["id"], "status": 200,
                      "contentType": "image/png" if name else "application/json"}
            if name:
                answer |= {"fileName": name, "description": "{}"}
            self.send(ANSWER, answer, body)
        elif kind == JOINED:
            self.joined.add(values["viewer"])
            self.send(ACCEPTED, {"viewer": values["viewer"], "offer": {
                "stream": 1, "contentType": 'video/mp4; codecs="avc1.640028"', "description": '{"codec":"h264"}'}})
        elif kind == LEFT:
            self.left.add(values["viewer"])
        elif kind == NEEDS_KEY_FRAME:
            self.key_frames += 1
            self.wants_key = True

    def stream(self):
        sequence = 0
        while not self.is_over:
            sequence += 1
            is_key, self.wants_key = self.wants_key or sequence % 100 == 1, False
            mark = b"K" if is_key else b"-"
            self.send(FRAGMENT, {"stream": 1, "fragment": {"isKey": is_key, "sequence": sequence}},
                      mark + b"%09d" % sequence + bytes(self.fragment_bytes))
            self.send(STATE, COUNTS, b'{"input":"check","frame":%d}' % sequence)
            time.sleep(1 / self.rate)

    def memory(self):
        """Kilobytes in memory, and open descriptors."""
        status = open(f"/proc/{self.process.pid}/status").read()
        resident = int(status.split("VmRSS:")[1].split()[0])
        return resident, len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def finish(self):
        """Says that the preview is over; the status of the server."""
        self.send(FINISH, {})
        self.is_over = True
        return self.process.wait(timeout=10)
