"""Throws malformed requests at `headroom-serve` while good clients watch it: see tools/check-server."""
import argparse
import collections
import http.client
import os
import random
import signal
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import threading
import time

from fake_renderer import TOKEN, FakeRenderer
from hostile_requests import Hostility

AUTHORIZATION = {"Authorization": f"Bearer {TOKEN}"}
problems = []


def report(problem):
    problems.append(problem)
    if len(problems) <= 20:
        print("check-server:", problem)


class GoodClients:
    """A client that asks, one that watches, one that listens: none may be held up."""

    def __init__(self, server, patience):
        self.server, self.patience, self.is_over = server, patience, False
        self.answers, self.fragments, self.messages, self.slowest = 0, 0, 0, 0
        self.threads = [threading.Thread(target=self.guard, args=(work,)) for work in (self.ask, self.watch, self.listen)]
        for thread in self.threads:
            thread.start()

    def guard(self, work):
        try:
            work()
        except (OSError, http.client.HTTPException, ValueError) as error:
            report(f"a good client failed ({work.__name__}): {error!r}")

    def connection(self):
        return http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=self.patience)

    def ask(self):
        while not self.is_over:
            # A new connection now and then: strangers must not take all the room.
            connection = self.connection()
            for path in ["/", "/api/v1/state", "/api/v1/metrics", "/api/v1/pixel?x=0&y=0", "/api/v1/frame.png"] * 4:
                began = time.monotonic()
                connection.request("GET", path, headers=AUTHORIZATION)
                answer = connection.getresponse()
                answer.read()
                self.slowest = max(self.slowest, time.monotonic() - began)
                if answer.status != 200:
                    report(f"a good client got {answer.status} for {path}")
                self.answers += 1
                time.sleep(0.02)
            connection.close()

    def watch(self):
        connection = self.connection()
        connection.request("GET", "/api/v1/stream", headers=AUTHORIZATION)
        answer, last = connection.getresponse(), 0
        if answer.read(14) != b"initialization":
            report("a stream does not begin with its initialization")
        while not self.is_over:
            fragment = answer.read(10 + self.server.fragment_bytes)
            sequence = int(fragment[1:10])
            if last and sequence != last + 1:
                report(f"a good viewer lost fragments {last + 1} to {sequence - 1}")
            last = sequence
            self.fragments += 1
        connection.close()

    def listen(self):
        link = socket.create_connection(("127.0.0.1", self.server.port), timeout=self.patience)
        link.sendall(Hostility(0, self.server.port, TOKEN).handshake().encode())
        while not self.is_over:
            if not (data := link.recv(65536)):
                return report("the events ended for a good client")
            self.messages += data.count(b'"event":"state"')
            # A sign of life, masked with zeros: whoever answers no ping is dropped after a minute.
            link.sendall(b"\x8a\x80\0\0\0\0")
        link.close()

    def finish(self):
        self.is_over = True
        for thread in self.threads:
            thread.join()
        if min(self.answers, self.fragments, self.messages) == 0:
            report("a good client was not served")


class Attack:
    """Threads that share a number of cases."""

    def __init__(self, server, seed, count, threads=4):
        self.server, self.statuses = server, collections.defaultdict(collections.Counter)
        self.held = collections.deque()
        self.lock = threading.Lock()
        self.threads = [threading.Thread(target=self.run, args=(seed * 1000 + n, count // threads)) for n in range(threads)]
        for thread in self.threads:
            thread.start()
        for thread in self.threads:
            thread.join()
        while self.held:
            self.held.popleft().close()

    def run(self, seed, count):
        hostility = Hostility(seed, self.server.port, TOKEN)
        addresses = random.Random(seed)
        for _ in range(count):
            case = hostility.next()
            # Linux lends all of 127/8: each address has its own rate, or all would be refused for that.
            source = f"127.0.{addresses.randrange(1, 250)}.{addresses.randrange(1, 250)}"
            status = self.throw(case, source)
            with self.lock:
                self.statuses[case.kind][status] += 1
            if isinstance(status, int) and status < 400 and not (status == 101 and case.opens):
                report(f"{case.kind} got {status}: {case.parts[0][:200]!r}")

    def throw(self, case, source):
        link = socket.socket()
        link.settimeout(20)
        try:
            link.bind((source, 0))
            link.connect(("127.0.0.1", self.server.port))
            for part in case.parts:
                link.sendall(part)
            if case.end == "hold":
                with self.lock:
                    self.held.append(link)
                    oldest = self.held.popleft() if len(self.held) > 60 else None
                if oldest:
                    oldest.close()
                return "held"
            if case.end == "reset":
                link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            if case.end != "read":
                return case.end
            return self.read(link, case)
        except TimeoutError:
            report(f"{case.kind} got no answer in time: {case.parts!r:.300}")
            return "silence"
        except ConnectionError:
            return "reset"
        finally:
            if case.end != "hold":
                link.close()

    def read(self, link, case):
        data = b""
        # What is not complete waits for more; its time-out is not waited for here.
        link.settimeout(20 if case.kind not in ("mutation", "garbage", "large", "body", "version", "frames") else 0.3)
        try:
            while b"\r\n\r\n" not in data:
                if not (part := link.recv(65536)):
                    break
                data += part
            while case.opens and data.startswith(b"HTTP/1.1 101") and len(data) < 1_000_000:
                if not (part := link.recv(65536)):
                    break
                data += part
        except TimeoutError:
            if link.gettimeout() > 1:
                raise
        if not data:
            return "closed"
        return int(data.split()[1]) if data.startswith(b"HTTP/1.") else f"{data[:20]!r}"


def settle(server, viewers_left=True):
    """Memory and descriptors when nothing is under way."""
    for _ in range(60):
        time.sleep(0.1)
        if server.joined == server.left or not viewers_left:
            break
    time.sleep(2.5)
    return server.memory()


def check_plain(arguments):
    server = FakeRenderer(arguments.program, rate=25)
    _, descriptors = server.memory()
    # What is allocated once is allocated by then.
    Attack(server, arguments.seed + 1, max(arguments.count // 5, 400))
    before, _ = settle(server)
    clients = GoodClients(server, arguments.patience)
    began = time.monotonic()
    attack = Attack(server, arguments.seed, arguments.count)
    seconds = time.monotonic() - began
    clients.finish()
    after, still = settle(server)
    for kind, statuses in sorted(attack.statuses.items()):
        print(f"  {kind:14}", "  ".join(f"{status}: {number}" for status, number in sorted(statuses.items(), key=str)))
    print(f"  {sum(sum(s.values()) for s in attack.statuses.values())} requests in {seconds:.0f} s; beside them {clients.answers}"
          f" answers (slowest {clients.slowest * 1000:.0f} ms), {clients.fragments} fragments, {clients.messages} states")
    print(f"  memory {before} KiB before, {after} KiB after; descriptors {descriptors} before, {still} after")
    if after > before + arguments.memory:
        report("memory has grown")
    if still > descriptors:
        report("descriptors are left open")
    if server.joined != server.left:
        report(f"viewers were not taken leave of: {sorted(server.joined - server.left)}")
    if server.process.poll() is not None or server.finish() != 0:
        report("the server has not ended properly")


def check_tls(arguments):
    with tempfile.TemporaryDirectory() as folder:
        key, certificate = os.path.join(folder, "key.pem"), os.path.join(folder, "certificate.pem")
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-days",
                        "1", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"],
                       check=True, capture_output=True)
        server = FakeRenderer(arguments.program, tls={"certificates": certificate, "key": key}, isReadOnly=True)
        context = ssl.create_default_context(cafile=certificate)
        Attack(server, arguments.seed + 2, max(arguments.count // 10, 200))
        connection = http.client.HTTPSConnection("127.0.0.1", server.port, timeout=arguments.patience, context=context)
        for method, path, status in [("GET", "/", 200), ("GET", "/api/v1/state", 200), ("PATCH", "/api/v1/state", 403)]:
            connection.request(method, path, headers=AUTHORIZATION)
            answer = connection.getresponse()
            answer.read()
            if answer.status != status:
                report(f"over TLS, {method} {path} got {answer.status} for {status}")
        connection.request("GET", f"/{TOKEN}/")
        answer = connection.getresponse()
        if answer.status != 200 or answer.headers["Set-Cookie"]:
            report(f"over TLS, the page got {answer.status} and the cookie {answer.headers['Set-Cookie']}")
        connection.close()
        # Refused early: the answer arrives all the same.
        with context.wrap_socket(socket.create_connection(("127.0.0.1", server.port)), server_hostname="127.0.0.1") as link:
            link.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n" + bytes(60_000))
            if b"403" not in link.recv(4096):
                report("over TLS, a refusal is lost")
        if not server.url.startswith("https://") or server.finish() != 0:
            report("the server with TLS has not ended properly")


def check_termination(arguments):
    """A request to terminate ends streams with their last chunk."""
    server = FakeRenderer(arguments.program)
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=arguments.patience)
    connection.request("GET", "/api/v1/stream", headers=AUTHORIZATION)
    answer = connection.getresponse()
    answer.read(100)
    server.process.send_signal(signal.SIGINT)
    server.process.send_signal(signal.SIGTERM)
    try:
        # Raises IncompleteRead where the last chunk is missing.
        answer.read()
    except http.client.HTTPException as error:
        report(f"a stream has not ended properly: {error!r}")
    if server.process.wait(timeout=arguments.patience) != 0:
        report(f"the server that was to terminate has ended with {server.process.returncode}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--count", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--memory", type=int, default=8192, help="KiB that memory may grow by")
    parser.add_argument("--patience", type=float, default=5, help="seconds that a good client waits")
    arguments = parser.parse_args()
    check_plain(arguments)
    check_tls(arguments)
    for _ in range(10):
        check_termination(arguments)
    if problems:
        sys.exit(f"check-server: {len(problems)} problems with seed {arguments.seed}")
    print("check-server: all is well")


if __name__ == "__main__":
    main()
