"""PNG and APNG: chunks, with their checksums right but for a few."""

import struct
import zlib

from . import fields

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def chunks(data):
    """Types and contents, up to where the file is damaged."""
    found, place = [], 8
    while place + 12 <= len(data):
        (length,) = struct.unpack_from(">I", data, place)
        if place + 12 + length > len(data):
            break
        found.append([bytes(data[place + 4 : place + 8]), bytearray(data[place + 8 : place + 8 + length])])
        place += 12 + length
    return found


def file(parts, rng=None):
    result = bytearray(SIGNATURE)
    for kind, content in parts:
        checksum = zlib.crc32(kind + content)
        if rng and rng.random() < 0.01:
            checksum ^= 1
        result += struct.pack(">I", len(content)) + kind + content + struct.pack(">I", checksum)
    return result


def header(parts, rng):
    """A field of IHDR."""
    place, value = rng.choice(
        [(0, fields.extreme(rng, 4)), (4, fields.extreme(rng, 4)), (0, struct.pack(">II", 16384, 16384)),
         (0, struct.pack(">II", 65535, 1)), (8, bytes([rng.choice([0, 1, 2, 3, 4, 8, 16, 255])])),
         (9, bytes([rng.choice([0, 1, 2, 3, 4, 6, 7, 255])])), (10, b"\1"), (11, b"\1"), (12, b"\1"), (12, b"\xff")]
    )  # fmt: skip
    fields.put(parts[0][1], place, value)


def content(parts, rng):
    """A number in a chunk."""
    chunk = rng.choice(parts)[1]
    fields.disturb(chunk, rng, 0, len(chunk))


def add(parts, rng):
    """A chunk of colour, light or animation with any content, before the pixels or anywhere."""
    sizes = {b"cICP": 4, b"mDCV": 24, b"mDCv": 24, b"cLLI": 8, b"cLLi": 8, b"sRGB": 1, b"gAMA": 4, b"cHRM": 32, b"acTL": 8,
             b"fcTL": 26, b"fdAT": 40, b"PLTE": 12, b"tRNS": 6, b"sBIT": 3, b"pHYs": 9, b"eXIf": 30, b"bKGD": 6, b"tIME": 7,
             b"tEXt": 20, b"IDAT": 9, b"IEND": 0, b"IHDR": 13, b"abcd": 5}  # fmt: skip
    kind = rng.choice(list(sizes))
    size = sizes[kind] if rng.random() < 0.8 else rng.randrange(64)
    body = bytearray(rng.choice([bytes(size), b"\xff" * size, rng.randbytes(size), rng.randbytes(size)]))
    parts.insert(1 if rng.random() < 0.7 else rng.randrange(len(parts) + 1), [kind, body])


def profile(parts, rng):
    """An ICC profile: damaged, cut off, of an impossible length, or a bomb."""
    body = bytearray(rng.randbytes(400))
    body[36:40] = b"acsp"
    body[16:24] = b"RGB XYZ "
    body[128:132] = rng.choice([b"\0\0\0\5", b"\xff\xff\xff\xff", b"\0\0\0\0"])
    for entry in range(rng.randrange(1, 20)):
        tag = rng.choice([b"desc", b"rXYZ", b"gXYZ", b"bXYZ", b"rTRC", b"gTRC", b"bTRC", b"cicp", b"wtpt"])
        place = rng.choice([rng.randrange(400), 0, 396, 1 << 31])
        size = rng.choice([rng.randrange(100), 0, 8, (1 << 32) - 1])
        fields.put(body, 132 + 12 * entry, tag + struct.pack(">II", place, size))
        if place < 390:
            fields.put(body, place, rng.choice([b"curv", b"para", b"XYZ ", b"mluc", b"desc", b"cicp"]) + bytes(4))
    body[0:4] = struct.pack(">I", len(body))
    packed = zlib.compress(bytes(body) if rng.random() < 0.8 else bytes(32 << 20))
    name = rng.choice([b"x", b"", b"n" * 90])
    parts.insert(1, [b"iCCP", bytearray(name + b"\0\0" + packed[: rng.choice([len(packed), len(packed) // 2, 3])])])


def pixels(parts, rng):
    """IDAT that ends early, is another stream, or unpacks to far more than the picture."""
    places = [i for i, part in enumerate(parts) if part[0] in (b"IDAT", b"fdAT")]
    if not places:
        return
    chunk = parts[rng.choice(places)][1]
    kind = rng.randrange(4)
    if kind == 0:
        del chunk[rng.randrange(len(chunk) + 1) :]
    elif kind == 1:
        chunk[:] = zlib.compress(bytes(rng.choice([0, 1, 100, 40 << 20])), 9)
    elif kind == 2:
        fields.disturb(chunk, rng, 0, len(chunk))
    else:
        rows = b"".join(bytes([rng.randrange(6)]) + rng.randbytes(6 * 64) for _ in range(64))
        chunk[:] = zlib.compress(rows)


def order(parts, rng):
    """A chunk left out, repeated or moved."""
    place = rng.randrange(len(parts))
    part = parts[place]
    kind = rng.randrange(3)
    if kind == 0:
        del parts[place]
    elif kind == 1:
        parts[place:place] = [[part[0], bytearray(part[1])] for _ in range(rng.choice([1, 2, 2000]))]
    else:
        parts.insert(rng.randrange(len(parts)), parts.pop(place))


def mutate(data, rng):
    parts = chunks(data)
    for _ in range(rng.choice([1, 1, 2, 4])):
        if not parts:
            break
        rng.choice([header, content, content, add, profile, pixels, order])(parts, rng)
    return file(parts, rng)
