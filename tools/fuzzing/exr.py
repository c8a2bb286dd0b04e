"""OpenEXR: attributes of the headers, the table of chunks, and the heads of chunks."""

import struct

from . import fields

BOX = [(0, 0, 63, 63), (0, 0, 16383, 16383), (-(1 << 31), 0, (1 << 31) - 1, 0), (0, 0, -1, -1), (5, 5, 4, 4), (-8, -8, 80, 80),
       (1 << 30, 1 << 30, (1 << 30) + 63, (1 << 30) + 63), (0, 0, 0, 65534), (32, 32, 95, 95)]  # fmt: skip


def string(data, place):
    end = data.find(b"\0", place, place + 256)
    return (bytes(data[place:end]), end + 1) if end >= 0 else (b"", len(data))


def attributes(data):
    """Name, type, place of the size, place of the value, size; and where the headers end."""
    found, place = [], 8
    while place < len(data):
        name, at = string(data, place)
        if not name:
            # Several parts end with an empty header.
            if data[4:8][1:2] and data[5] & 0x10 and at < len(data) and data[at]:
                place = at
                continue
            return found, at + (1 if len(data) > 5 and data[5] & 0x10 else 0)
        kind, at = string(data, at)
        if at + 4 > len(data):
            break
        (size,) = struct.unpack_from("<I", data, at)
        if size > len(data) - at - 4:
            break
        found.append((name, kind, at, at + 4, size))
        place = at + 4 + size
    return found, len(data)


def value(data, rng, found):
    """The value of an attribute, as its type has it."""
    name, kind, _, place, size = rng.choice(found)
    if kind == b"box2i":
        fields.put(data, place, struct.pack("<4i", *rng.choice(BOX)))
        if rng.random() < 0.5:
            for other in found:
                if other[1] == b"box2i":
                    fields.put(data, other[3], data[place : place + 16])
    elif kind == b"compression":
        fields.put(data, place, bytes([rng.choice([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 255])]))
    elif kind == b"lineOrder":
        fields.put(data, place, bytes([rng.choice([0, 1, 2, 3, 255])]))
    elif kind == b"tiledesc":
        sizes = [0, 1, 16, 32, 64, 65535, 1 << 31, (1 << 32) - 1]
        fields.put(data, place, struct.pack("<IIB", rng.choice(sizes), rng.choice(sizes), rng.choice([0, 1, 2, 16, 17, 255])))
    elif kind == b"chlist":
        channel(data, rng, place, size)
    elif kind in (b"float", b"chromaticities", b"v2f"):
        numbers = [0.0, -1.0, 1e38, float("nan"), float("inf"), -float("inf"), 1e-40, 0.3127]
        fields.put(data, place + 4 * rng.randrange(max(size // 4, 1)), struct.pack("<f", rng.choice(numbers)))
    else:
        fields.disturb(data, rng, place, place + size, "little")


def channel(data, rng, place, size):
    """Name, type or sampling of a channel."""
    starts, at = [], place
    while at < place + size and data[at]:
        starts.append(at)
        at = string(data, at)[1] + 16
    if not starts:
        return
    at = rng.choice(starts)
    end = string(data, at)[1]
    kind = rng.randrange(4)
    if kind == 0:
        fields.put(data, at, rng.choice([b"R", b"G", b"B", b"A", b"Y", b"\xff", b"\0"]))
    elif kind == 1:
        fields.put(data, end, struct.pack("<I", rng.choice([0, 1, 2, 3, 255, 1 << 31])))
    else:
        fields.put(data, end + rng.choice([8, 12]), struct.pack("<i", rng.choice([0, 1, 2, 3, -1, 64, 65, 1 << 30])))


def size(data, rng, found):
    """The size of an attribute, its name or its type."""
    _, _, at, _, _ = rng.choice(found)
    place = rng.choice([at, at, at - 1, at - 3])
    if place == at:
        fields.put(data, at, fields.other(rng, data[at : at + 4], 4, "little"))
    else:
        fields.put(data, place, rng.randbytes(1))


def table(data, rng, end):
    """Where chunks lie, their rows and their sizes."""
    if end + 16 >= len(data):
        return
    if rng.random() < 0.5:
        (first,) = struct.unpack_from("<Q", data, end)
        place = end + 8 * rng.randrange(max(1, min((max(first, end + 8) - end) // 8, 400)))
        targets = [0, 1, 8, end, first, len(data), len(data) - 1, (1 << 63) - 1, (1 << 64) - 1, rng.randrange(len(data))]
        fields.put(data, place, struct.pack("<Q", rng.choice(targets)))
    else:
        (first,) = struct.unpack_from("<Q", data, end)
        if first + 20 < len(data):
            fields.disturb(data, rng, first, first + 20, "little")


def flags(data, rng):
    """Tiled, long names, deep, several parts."""
    data[5] ^= rng.choice([2, 4, 8, 0x10])


def leave_out(data, rng, found):
    """An attribute that is missing."""
    name, kind, _, place, size = rng.choice(found)
    begin = data.find(name + b"\0" + kind + b"\0")
    if begin > 0:
        del data[begin : place + size]


def mutate(data, rng):
    for _ in range(rng.choice([1, 1, 2, 3])):
        found, end = attributes(data)
        kind = rng.random()
        if len(data) < 16 or not found or kind < 0.04:
            if len(data) > 8:
                flags(data, rng)
        elif kind < 0.55:
            value(data, rng, found)
        elif kind < 0.65:
            size(data, rng, found)
        elif kind < 0.7:
            leave_out(data, rng, found)
        else:
            table(data, rng, end)
    return data
