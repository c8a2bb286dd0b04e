"""Which mutations a file gets."""

from . import ebml, exr, general, isobmff, jpeg, mpegts, nal, obu, png, text, tiff


def structured(data, suffix):
    """The mutation that knows the format; nil where none does."""
    if data[:8] == png.SIGNATURE:
        return png.mutate
    if data[:4] in (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+"):
        return tiff.mutate
    if data[:4] == b"\x76\x2f\x31\x01":
        return exr.mutate
    if data[:3] == b"\xff\xd8\xff":
        return jpeg.mutate
    if data[:4] == b"\x1a\x45\xdf\xa3":
        return ebml.mutate
    if data[:9] == b"YUV4MPEG2":
        return text.y4m
    if data[4:8] in (b"ftyp", b"JXL ", b"jP  ", b"moov", b"free", b"mdat", b"wide"):
        return isobmff.mutate
    if data[:1] == b"\x47" and suffix in (".ts", ".m2ts"):
        return mpegts.mutate
    if suffix in (".h265", ".hevc", ".h264", ".264"):
        return nal.mutate_hevc if suffix in (".h265", ".hevc") else nal.mutate_h264
    if suffix in (".obu", ".ivf"):
        return obu.mutate
    if suffix == ".json":
        return text.json
    return None


def mutate(data, suffix, rng):
    """A damaged copy and the names of what was done: mostly by structure, sometimes with plain damage after it."""
    data = bytearray(data)
    done = []
    special = structured(data, suffix)
    if special and rng.random() < 0.8:
        data = special(data, rng)
        done.append(special.__module__.split(".")[-1])
    if not done or rng.random() < 0.1:
        plain = rng.choice(general.ALL)
        data = plain(data or bytearray(b"\0"), rng)
        done.append(plain.__name__)
    return bytes(data), "+".join(done)
