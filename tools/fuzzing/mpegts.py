"""MPEG transport streams: packets, tables with their checksums right, PES headers and clocks."""

from . import fields

PACKET = 188


def checksum(section):
    """CRC-32 of ISO/IEC 13818-1, annex A."""
    crc = 0xFFFFFFFF
    for byte in section:
        crc ^= byte << 24
        for _ in range(8):
            crc = (crc << 1 ^ (0x04C11DB7 if crc & 0x80000000 else 0)) & 0xFFFFFFFF
    return crc.to_bytes(4, "big")


def payload(data, packet):
    """Where the payload of a packet begins."""
    flags = data[packet + 3] >> 4 & 3
    return packet + 4 + (1 + data[packet + 4] if flags & 2 else 0)


def packets(data):
    return [p for p in range(0, len(data) - PACKET + 1, PACKET) if data[p] == 0x47]


def section(data, rng, found):
    """PAT, PMT or SDT: a number of it."""
    starts = [p for p in found if data[p + 1] & 0x40 and payload(data, p) + 12 < p + PACKET]
    tables = [p for p in starts if data[payload(data, p)] == 0 and data[payload(data, p) + 1] in (0, 2, 0x42)]
    if not tables:
        return
    packet = rng.choice(tables)
    begin = payload(data, packet) + 1
    length = (data[begin + 1] << 8 | data[begin + 2]) & 0xFFF
    end = min(begin + 3 + length, packet + PACKET)
    fields.disturb(data, rng, begin + 1, max(end - 4, begin + 2))
    if rng.random() < 0.9:
        length = (data[begin + 1] << 8 | data[begin + 2]) & 0xFFF
        end = min(begin + 3 + length, packet + PACKET)
        if end - begin > 7:
            fields.put(data, end - 4, checksum(data[begin : end - 4]))


def pes(data, rng, found):
    """The header of a packet of the elementary stream: lengths, flags, times."""
    starts = [p for p in found if data[p + 1] & 0x40 and data[payload(data, p) : payload(data, p) + 3] == b"\0\0\1"]
    if starts:
        begin = payload(data, rng.choice(starts))
        fields.disturb(data, rng, begin + rng.choice([3, 6, 9]), begin + 20)


def head(data, rng, found):
    """Sync byte, identifier, continuity, and the adaptation field with its clock."""
    packet = rng.choice(found)
    kind = rng.randrange(5)
    if kind == 0:
        data[packet] = rng.randrange(256)
    elif kind == 1:
        fields.put(data, packet + 1, rng.choice([b"\0\0", b"\x40\0", b"\x1f\xff", b"\x50\0", bytes(data[packet + 1 : packet + 3])]))
    elif kind == 2:
        data[packet + 3] = rng.randrange(256)
    elif kind == 3:
        data[packet + 3] |= 0x20
        data[packet + 4] = rng.choice([0, 1, 7, 182, 183, 184, 255])
    else:
        fields.disturb(data, rng, packet + 4, packet + 12)


def order(data, rng, found):
    """Packets lost, repeated or exchanged; a piece of a packet lost."""
    packet = rng.choice(found)
    kind = rng.randrange(4)
    if kind == 0:
        del data[packet : packet + PACKET * rng.choice([1, 1, 5])]
    elif kind == 1:
        data[packet:packet] = data[packet : packet + PACKET] * rng.choice([1, 3, 100])
    elif kind == 2:
        other = rng.choice(found)
        a, b = data[packet : packet + PACKET], data[other : other + PACKET]
        data[packet : packet + PACKET], data[other : other + PACKET] = b, a
    else:
        del data[packet + rng.randrange(PACKET) : packet + PACKET]


def stream(data, rng, found):
    """The coded video itself."""
    packet = rng.choice(found)
    fields.disturb(data, rng, min(payload(data, packet), packet + PACKET - 1), packet + PACKET)


def mutate(data, rng):
    for _ in range(rng.choice([1, 2, 4, 8])):
        found = packets(data)
        if not found:
            break
        rng.choice([section, section, pes, pes, head, order, stream])(data, rng, found)
    return data
