"""Requests that must not be answered as asked: of those without the token, and of those with it who ask for nonsense."""
import random
import struct

PATHS = ["/", "/api/v1/state", "/api/v1/metrics", "/api/v1/stream", "/api/v1/frame.png", "/api/v1/pixel?x=0&y=0",
         "/api/v1/openapi.json", "/api/v1/events"]


class Case:
    """What is sent, in parts, and what may come back."""

    def __init__(self, kind, parts, end="read", opens=False):
        self.kind = kind
        self.parts = [part if isinstance(part, bytes) else part.encode() for part in parts]
        # read: wait for an answer. leave: close in the middle. reset: the same without a goodbye. hold: stay silent.
        self.end = end
        # 101 is the right answer.
        self.opens = opens


class Hostility:
    """Makes cases, the same ones for the same seed."""

    def __init__(self, seed, port, token):
        self.random = random.Random(seed)
        self.port, self.token = port, token
        self.kinds = [getattr(self, name) for name in sorted(dir(self)) if name.startswith("case_")]

    def next(self):
        return self.random.choice(self.kinds)()

    # Parts of requests

    def pick(self, *values):
        return self.random.choice(values)

    def junk(self, most):
        return self.random.randbytes(self.random.randrange(1, most))

    def request(self, path=None, method="GET", host=None, headers=(), token=None, version="HTTP/1.1"):
        lines = [f"{method} {path or self.random.choice(PATHS)} {version}"]
        host = f"127.0.0.1:{self.port}" if host is None else host
        lines += [f"Host: {host}"] if host else []
        token = self.token if token is None else token
        lines += [f"Authorization: Bearer {token}"] if token else []
        return "\r\n".join([*lines, *headers]) + "\r\n\r\n"

    def wrong_token(self):
        token = self.token
        place = self.random.randrange(len(token))
        return self.pick("", token[:-1], token + "0", "0" * 32, token[:place] + self.pick(*"ghxyz-%") + token[place + 1:],
                         token[::-1], "a" * 3000, " ")

    # Those without the token

    def case_token(self):
        headers = self.pick((), (f"Cookie: headroom-{self.port}={self.token}",),
                            (f"Cookie: headroom={self.token}",), (f"X-Token: {self.token}",),
                            ("Cookie: " + ";" * 500,), (f"Cookie: headroom-{self.port}",))
        path = self.pick(None, "/" + self.wrong_token().strip() + "/", "/?token=" + self.token, f"//{self.token}/",
                         f"/x/{self.token}/", "/api/v1/state/" + self.token, "/api/v1/state?token=" + self.token)
        return Case("token", [self.request(path, headers=headers, token=self.pick("", self.wrong_token()))])

    def case_authorization(self):
        value = self.pick("Basic " + self.token, "Bearer", "Bearer  ", self.token, f"Bearer {self.token} x",
                          f"Bearer\t{self.token}", f"Bearer:{self.token}", f'Bearer "{self.token}"')
        return Case("authorization", [self.request(token="", headers=[f"Authorization: {value}"])])

    def case_mutation(self):
        data = bytearray(self.request(token=self.wrong_token()).encode())
        for _ in range(self.random.randrange(1, 8)):
            place = self.random.randrange(len(data))
            match self.random.randrange(3):
                case 0: data[place] = self.random.randrange(256)
                case 1: del data[place]
                case 2: data[place:place] = self.junk(6)
        return Case("mutation", [bytes(data)], self.pick("read", "leave"))

    def case_garbage(self):
        data = self.pick(self.junk(3000), b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + self.junk(300),
                         b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"\r\n" * 500, b"\0" * 5000, b"GET", b"GET  / HTTP/1.1\r\n\r\n",
                         b"GET / HTTP/1.1\nHost:x\n\n", b"\x05\x01\x00", b"get / http/1.1\r\n\r\n")
        return Case("garbage", [data], self.pick("read", "leave", "reset"))

    def case_half_open(self):
        return Case("half-open", self.pick([], [b"G"], [self.request(token="")[:-2]]), "hold")

    # Those with the token, from elsewhere

    def case_host(self):
        host = self.pick("evil.example", f"evil.example:{self.port}", "127.0.0.1", "127.0.0.1:1", f"[::1]:{self.port}",
                         f"127.0.0.1:{self.port}.evil.example", f"127.0.0.1:{self.port}@evil.example", f"127.1:{self.port}",
                         f"2130706433:{self.port}", "a" * 5000, "\x7f", "[", "]:1", ":", f"0:{self.port}", "",
                         f"127.0.0.1:{self.port}\r\nHost: evil.example", f"127.0.0.1:{self.port:010d}")
        return Case("host", [self.request(host=host)])

    def case_origin(self):
        header = self.pick("Origin: http://evil.example", "Origin: null", f"Origin: https://127.0.0.1:{self.port}",
                           "Origin: http://127.0.0.1", f"Origin: http://127.0.0.1:{self.port}\r\nOrigin: null", "Origin:",
                           f"Origin: http://127.0.0.1:{self.port}.evil.example", "Sec-Fetch-Site: cross-site",
                           "Sec-Fetch-Site: same-site", f"Origin: file://127.0.0.1:{self.port}")
        return Case("origin", [self.request(headers=[header])])

    # Those with the token who ask for nonsense

    def case_method(self):
        method = self.pick("HEAD", "OPTIONS", "PUT", "DELETE", "TRACE", "POST", "PROPFIND", "get", "X" * 40, "CONNECT",
                           "PATCH ", "M-SEARCH", "PRI", "LOCK", "\x01")
        return Case("method", [self.request(self.pick("/", "/api/v1/metrics", "*"), method=method)])

    def case_path(self):
        path = self.pick("/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/..%2f..%2fetc/passwd", "//",
                         "/api/v1/../../etc/passwd", "http://127.0.0.1/api/v1/state", "file:///etc/passwd", "/api/v1/state/",
                         "/api//v1/state", "/./", "/api/v1/state%00", "/api/v1/%73tate", "/\\..\\", "/api/v1/state;x", "*",
                         "/proc/self/environ", "/" + "a/" * 1500, "/.git/config",
                         "/api/v1/state#x", "api/v1/state", "?", "/\xe4", "/Page.html", "/favicon.ico")
        return Case("path", [self.request(path)])

    def case_query(self):
        query = self.pick("x=1&x=2", "%=1", "x=%ff", "x=%zz", "=1", "&".join(f"a{n}=1" for n in range(60)), "%00%", "x=%c0%af")
        return Case("query", [self.request(self.pick("/api/v1/pixel?", "/api/v1/stream?", "/api/v1/frame.png?") + query)])

    def case_large(self):
        request = self.pick(
            self.request(headers=["X: " + "a" * self.random.randrange(20_000, 200_000)]),
            self.request(headers=[f"X{n}: y" for n in range(300)]), self.request("/" + "a" * 100_000),
            self.request(headers=["X: " + "a" * 900] * 60), "GET " + " " * 100_000, self.request(version="HTTP/1.1" + "1" * 60_000),
            "GET / HTTP/1.1\r\n" + ("X: " + " " * 8000 + "\r\n") * 30)
        return Case("large", [request], self.pick("read", "read", "reset"))

    def case_version(self):
        return Case("version", [self.request(version=self.pick("HTTP/0.9", "HTTP/2.0", "HTTP/1.2", "HTTP/11", "HTTP/1.", "ICY",
                                                               "HTTP/-1.1", "http/1.1", ""))])

    def patch(self, headers, body, kind="application/json"):
        return [self.request("/api/v1/state", "PATCH", headers=[f"Content-Type: {kind}", *headers]), body]

    def case_body(self):
        return Case("body", self.pick(
            self.patch(["Content-Length: 65537"], b""), self.patch(["Content-Length: 99999999999999999999"], b"x"),
            self.patch(["Content-Length: -1"], b"x"), self.patch(["Content-Length: 2"], b"{}", "text/plain"),
            self.patch(["Content-Length: 2", "Content-Length: 3"], b"{}x"), self.patch(["Content-Length: 0"], b""),
            self.patch(["Content-Length: 4"], b"\xff\xfe\xc0\x80"), self.patch(["Content-Length: 0x2"], b"{}"),
            self.patch(["Transfer-Encoding: chunked"], b"10000\r\n" + b"a" * 65536 + b"\r\n1\r\na\r\n0\r\n\r\n"),
            self.patch(["Transfer-Encoding: chunked"], b"ffffffffffffffffff\r\nx"),
            self.patch(["Transfer-Encoding: chunked"], b"zz\r\n{}\r\n0\r\n\r\n"),
            self.patch(["Transfer-Encoding: chunked"], (b"1;" + b"x" * 3000 + b"\r\na\r\n") * 100),
            self.patch(["Transfer-Encoding: chunked"], b"0\r\n" + b"T: x\r\n" * 20_000),
            self.patch(["Transfer-Encoding: chunked", "Content-Length: 2"], b"{}"),
            self.patch(["Transfer-Encoding: gzip"], b"{}"),
            [self.request("/api/v1/metrics", headers=["Content-Length: 2"]), b"{}"]))

    def case_slow_body(self):
        parts = self.patch(["Content-Length: 100"], b'{"pau')
        return Case("slow body", parts, self.pick("hold", "leave", "reset"))

    def case_abandoned(self):
        return Case("abandoned", [self.request(self.pick("/api/v1/stream", "/api/v1/frame.exr", "/api/v1/state"))],
                    self.pick("leave", "reset"))

    # WebSockets

    def handshake(self, **changes):
        headers = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
                   "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", **changes}
        return self.request("/api/v1/events", headers=[f"{key}: {value}" for key, value in headers.items() if value is not None])

    def case_handshake(self):
        changes = self.pick({"Upgrade": "h2c"}, {"Upgrade": None}, {"Connection": "close"}, {"Connection": None},
                            {"Sec-WebSocket-Version": "12"}, {"Sec-WebSocket-Version": None}, {"Sec-WebSocket-Key": None},
                            {"Sec-WebSocket-Key": "short"}, {"Sec-WebSocket-Key": "=" * 24 + "\r\nSec-WebSocket-Key: x"},
                            {"Origin": "http://evil.example"}, {"Upgrade": "websocket, websocket"})
        return Case("handshake", [self.handshake(**changes)])

    def frame(self):
        first = self.random.randrange(256)
        payload = self.pick(b"", b"x", self.junk(126), b"y" * 5000, b'{"ping":1e999}', b"[" * 3000, b'{"ping":1}', b"\xff")
        stated = self.pick(len(payload), len(payload), len(payload), 0, 2 ** 63, 2 ** 64 - 1, 65_536)
        mask = self.pick(0x80, 0x80, 0x80, 0)
        if stated < 126:
            head = bytes([first, mask | stated])
        elif stated < 65_536:
            head = bytes([first, mask | 126]) + struct.pack(">H", stated)
        else:
            head = bytes([first, mask | 127]) + struct.pack(">Q", stated)
        return head + (b"\0\0\0\0" if mask else b"") + payload

    def case_frames(self):
        frames = [self.frame() for _ in range(self.random.randrange(1, 30))]
        if self.random.random() < 0.2:
            frames = [bytes([self.pick(0x89, 0x8A, 0x81), 0x80, 0, 0, 0, 0])] * 300
        return Case("frames", [self.handshake(), b"".join(frames)], self.pick("read", "leave", "reset"), opens=True)
