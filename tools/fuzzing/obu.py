"""OBUs of AV1: headers, sizes, sequence header, metadata."""

from . import fields


def leb128(data, place):
    value = 0
    for index in range(8):
        if place >= len(data):
            break
        value |= (data[place] & 0x7F) << 7 * index
        place += 1
        if not data[place - 1] & 0x80:
            break
    return value, place


def units(data, begin, end):
    """Places of header, content and end, as far as sizes are stated and make sense."""
    found, place = [], begin
    while place < end:
        at = place + (2 if data[place] & 4 else 1)
        if not data[place] & 2 or at >= end:
            break
        size, at = leb128(data, at)
        if at + size > end:
            break
        found.append((place, at, at + size))
        place = at + size
    return found


def damage(data, rng, begin, end):
    found = units(data, begin, end)
    if not found:
        return fields.disturb(data, rng, begin, end)
    head, content, stop = rng.choice(found)
    kind = rng.randrange(5)
    if kind == 0:
        data[head] = rng.choice([0x0A, 0x12, 0x2A, 0x32, 0x1A, 0x22, 0x3A, 0x42, 0x7A, data[head] ^ 4, data[head] ^ 2])
    elif kind == 1:
        fields.put(data, head + 1, rng.choice([b"\0", b"\x7f", b"\xff\xff\xff\x0f", b"\x80\x80\x80", rng.randbytes(2)]))
    elif kind == 2:
        # T.35: HDR10+, ST 2094-50; content light; mastering display.
        body = rng.choice([b"\4\xb5\0\x3c\0\1\4", b"\4\xb5\0\x90\0\1", b"\1", b"\2"]) + rng.randbytes(40)
        fields.put(data, head, b"\x2a" + bytes([min(stop - head - 2, 127) if stop - head > 2 else 0]))
        fields.put(data, head + 2, body[: max(stop - head - 2, 0)])
    else:
        for _ in range(rng.choice([1, 3])):
            if stop > content:
                data[rng.randrange(content, min(stop, content + 24))] ^= 1 << rng.randrange(8)
    return data


def mutate(data, rng):
    """A file of OBUs, or of IVF around them."""
    if data[:4] == b"DKIF":
        frames, place = [], 32
        while place + 12 <= len(data):
            size = int.from_bytes(data[place : place + 4], "little")
            frames.append((place, place + 12, min(place + 12 + size, len(data))))
            place += 12 + size
        if not frames or rng.random() < 0.3:
            head = rng.choice([0, *[f[0] for f in frames]])
            return fields.disturb(data, rng, head, min(head + (32 if head == 0 else 12), len(data)), "little")
        _, begin, end = rng.choice(frames)
        return damage(data, rng, begin, end)
    return damage(data, rng, 0, len(data))
