"""NAL units of H.264 and HEVC: numbers in parameter sets, SEI messages and slices, with emulation prevention kept."""

from . import fields


def unescaped(unit):
    return bytearray(bytes(unit).replace(b"\0\0\3", b"\0\0"))


def escaped(payload):
    result, zeros = bytearray(), 0
    for byte in payload:
        if zeros >= 2 and byte <= 3:
            result.append(3)
            zeros = 0
        zeros = zeros + 1 if byte == 0 else 0
        result.append(byte)
    return result


def is_slice(unit, hevc):
    return (unit[0] >> 1 & 63) < 32 if hevc else unit[0] & 31 in range(1, 6)


def damage(unit, rng, hevc):
    """A unit of the same length."""
    head = 2 if hevc else 1
    if len(unit) <= head + 1:
        return unit
    payload = unescaped(unit[head:])
    if not is_slice(unit, hevc) and rng.random() < 0.4:
        sei(payload, rng)
    end = min(len(payload), 24 if is_slice(unit, hevc) else len(payload))
    for _ in range(rng.choice([0, 1, 1, 3])):
        payload[rng.randrange(end)] ^= 1 << rng.randrange(8)
    if rng.random() < 0.3:
        fields.disturb(payload, rng, 0, end)
    front = bytearray(unit[:head])
    if rng.random() < 0.1:
        front[0] = rng.randrange(256)
    result = front + escaped(payload)
    return (result + bytes(len(unit)))[: len(unit)]


def sei(payload, rng):
    """An SEI message of light, HDR10+ or ST 2094-50 with any content."""
    messages = [bytes([137, 24]) + rng.randbytes(24), bytes([144, 4]) + rng.randbytes(4), bytes([148, 8]) + rng.randbytes(8),
                bytes([147, 1, 18]), bytes([4, 60, 0xB5, 0, 0x3C, 0, 1, 4, 1]) + rng.randbytes(53),
                bytes([4, 60, 0xB5, 0, 0x90, 0, 1]) + rng.randbytes(55), bytes([4, 255, 255]) + rng.randbytes(20),
                bytes([255] * 30), bytes([4, 255, 0, 0xB5])]  # fmt: skip
    fields.put(payload, 0, rng.choice(messages) + b"\x80")


def annex_b(data):
    """Places of the units between start codes."""
    starts, place = [], data.find(b"\0\0\1")
    while place >= 0:
        starts.append(place + 3)
        place = data.find(b"\0\0\1", place + 3)
    return [(a, b - 3) for a, b in zip(starts, starts[1:] + [len(data) + 3])]


def prefixed(data, begin, end, size=4):
    """Places of the units with lengths before them, as far as they make sense."""
    found, place = [], begin
    while place + size < end:
        length = int.from_bytes(data[place : place + size], "big")
        if length < 2 or place + size + length > end:
            break
        found.append((place + size, place + size + length))
        place += size + length
    return found


def lengths(data, rng, units, size=4):
    """The length before a unit."""
    begin, _ = rng.choice(units)
    fields.put(data, begin - size, fields.other(rng, data[begin - size : begin], size))


def damage_one(data, rng, units, hevc):
    """One of the units; small ones, which are parameters, come first."""
    small = [u for u in units if u[1] - u[0] < 120]
    begin, end = rng.choice(small if small and rng.random() < 0.6 else units)
    data[begin:end] = damage(data[begin:end], rng, hevc)


def mutate(data, rng, hevc):
    """A file of units between start codes."""
    for _ in range(rng.choice([1, 2, 4])):
        units = [u for u in annex_b(data) if u[1] > u[0]]
        if not units:
            break
        kind = rng.random()
        begin, end = rng.choice(units)
        if kind < 0.75:
            damage_one(data, rng, units, hevc)
        elif kind < 0.85:
            del data[begin - 3 : end]
        else:
            data[begin - 3 : begin - 3] = data[begin - 3 : end] * rng.choice([1, 3, 40])
    return data


def mutate_hevc(data, rng):
    return mutate(data, rng, True)


def mutate_h264(data, rng):
    return mutate(data, rng, False)
