"""Small whole files in every format, made by ffmpeg, by the program itself, or byte by byte."""

import subprocess
import zlib

from . import built, png

# Of the largest picture, the grids.
PIXELS = 128 * 128
SOURCE = ["-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=0.2"]
SOUND = ["-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000:d=0.2"]
HDR = ["-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc", "-pix_fmt", "yuv420p10le"]
X265 = "log-level=0:pools=1:frame-threads=1:hdr10=1:max-cll=1000,400:master-display=" \
       "G(8500,39850)B(6550,2300)R(35400,14600)WP(15635,16450)L(10000000,50):keyint=3"
HEVC = ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", X265, *HDR]
H264 = ["-c:v", "libx264", "-preset", "veryfast", "-threads", "1", "-pix_fmt", "yuv420p", "-g", "3"]
AV1 = ["-c:v", "libaom-av1", "-cpu-used", "8", "-threads", "1", *HDR]
TAGS = ["-metadata", "title=Film", "-metadata", "DIRECTOR=Somebody", "-metadata:s:a", "language=eng"]

# What ffmpeg encodes: name, inputs, options.
FILMS = {
    "hevc.mp4": [*SOURCE, *HEVC, "-tag:v", "hvc1"],
    "hevc-sound.mkv": [*SOURCE, *SOUND, *HEVC, "-c:a", "aac", *TAGS],
    "h264.mp4": [*SOURCE, *SOUND, *H264, "-c:a", "aac", *TAGS],
    "h264-fields.mkv": [*SOURCE, *H264, "-flags", "+ilme+ildct", "-top", "1"],
    "fragments.mp4": [*SOURCE, *H264, "-movflags", "frag_keyframe+empty_moov"],
    "av1.mp4": [*SOURCE, *AV1],
    "vp9.webm": [*SOURCE, "-c:v", "libvpx-vp9", "-cpu-used", "8", "-deadline", "realtime", *HDR, "-profile:v", "2"],
    "prores.mov": [*SOURCE, "-c:v", "prores_ks", "-pix_fmt", "yuv422p10le", "-color_trc", "arib-std-b67"],
    "ffv1.mkv": [*SOURCE, "-c:v", "ffv1", "-level", "3", "-pix_fmt", "gbrp10le"],
    "mpeg2.ts": [*SOURCE, *SOUND, "-c:v", "mpeg2video", "-c:a", "mp2"],
    "jpeg2000.mxf": [*SOURCE, "-c:v", "jpeg2000", "-pix_fmt", "yuv422p10le"],
    "film.y4m": [*SOURCE, "-frames:v", "3", "-pix_fmt", "yuv420p10le", "-strict", "-1"],
    "mono.y4m": [*SOURCE, "-frames:v", "2", "-pix_fmt", "gray"],
    "moving.png": [*SOURCE, "-frames:v", "3", "-f", "apng", "-pix_fmt", "rgb24"],
    "palette.png": [*SOURCE, "-frames:v", "1", "-pix_fmt", "pal8"],
    "deflate.tiff": [*SOURCE, "-frames:v", "1", "-pix_fmt", "rgb24", "-compression_algo", "deflate"],
    "lzw.tiff": [*SOURCE, "-frames:v", "1", "-pix_fmt", "rgb48le", "-compression_algo", "lzw"],
    "packbits.tiff": [*SOURCE, "-frames:v", "1", "-pix_fmt", "gray", "-compression_algo", "packbits"],
    "base.jpg": [*SOURCE, "-frames:v", "1", "-pix_fmt", "yuvj420p", "-q:v", "4"],
    "map.jpg": [*SOURCE, "-frames:v", "1", "-pix_fmt", "yuvj444p", "-q:v", "4", "-vf", "scale=16:16"],
    "picture.webp": [*SOURCE, "-frames:v", "1", "-c:v", "libwebp"],
    "picture.dpx": [*SOURCE, "-frames:v", "1", "-pix_fmt", "gbrp10le"],
    "picture.jp2": [*SOURCE, "-frames:v", "1", "-pix_fmt", "rgb24"],
    "moving.gif": [*SOURCE, "-frames:v", "3"],
}
# The same streams in other containers.
COPIES = {
    "hevc.ts": "hevc-sound.mkv", "hevc.mov": "hevc-sound.mkv", "hevc.mkv": "hevc.mp4", "hevc.h265": "hevc.mp4", "h264.ts": "h264.mp4",
    "h264.mkv": "h264.mp4", "h264.h264": "h264-fields.mkv", "av1.mkv": "av1.mp4", "av1.obu": "av1.mp4", "av1.ivf": "av1.mp4",
}  # fmt: skip
# Pictures that the program writes of the HEVC film: name, options.
PICTURES = {
    "pq.png": ["--space", "pq"], "srgb.png": ["--space", "srgb", "--bit-depth", "8"], "half.exr": [],
    "piz.exr": ["--compression", "piz"], "none.exr": ["--compression", "none"], "float.tiff": ["--space", "linear-p3"],
    "pq.tiff": ["--space", "pq"], "pq.avif": ["--space", "pq"], "srgb8.avif": ["--space", "srgb", "--bit-depth", "8"],
    "pq.jxl": ["--space", "pq"], "linear.jxl": ["--space", "linear-bt2020"], "srgb.jxl": ["--space", "srgb", "--bit-depth", "8"],
}  # fmt: skip


def command(words):
    result = subprocess.run([str(w) for w in words], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if result.returncode:
        raise SystemExit(f"fuzz: cannot make an input: {' '.join(map(str, words))}\n{result.stderr}")


def ffmpeg(*words):
    command(["ffmpeg", "-v", "error", "-y", *words])


def make(program, folder):
    """The files, sorted by name; all show 64 x 64 pixels, the grids 128 x 128."""
    for name, words in FILMS.items():
        ffmpeg(*words, folder / name)
    for name, source in COPIES.items():
        ffmpeg("-i", folder / source, "-map", "0:v" if source in ("hevc.mp4", "av1.mp4") else "0", "-c", "copy", folder / name)
    for name, words in PICTURES.items():
        command([program, "dump", folder / "hevc.mp4", "-o", folder / name, "--frames", "0", "-q", *words])
    command([program, "measure", folder / "hevc.mp4", "-o", folder / "light.json", "-q"])
    build(folder)
    return sorted(p for p in folder.iterdir() if p.name not in ("base.jpg", "map.jpg", "light.json")), folder / "light.json"


def build(folder):
    hevc, av1 = (bytearray((folder / name).read_bytes()) for name in ("hevc.mp4", "av1.mp4"))
    base, map = ((folder / name).read_bytes() for name in ("base.jpg", "map.jpg"))
    parts = png.chunks(bytearray((folder / "srgb.png").read_bytes()))
    plain = [p for p in parts if p[0] in (b"IHDR", b"IDAT", b"IEND")]
    profile = [b"iCCP", bytearray(b"profile\0\0" + zlib.compress(built.icc_profile()))]
    files = {
        "profile.png": png.file([plain[0], profile, *plain[1:]]),
        "tiles.exr": built.exr_tiled(),
        "parts.exr": built.exr_parts(),
        "planes.tiff": built.tiff(planar=True, bits=8),
        "tiles.tiff": built.tiff(order=">", tile=32, samples=3),
        "big.tiff": built.tiff(big=True, bits=32, form=3, samples=3),
        "half.tiff": built.tiff(bits=16, form=3, tile=16),
        "picture.heic": built.heif(hevc),
        "grid.heic": built.heif(hevc, grid=True),
        "grid.avif": built.heif(av1, grid=True),
        "iso.jpg": built.gain_map_jpeg(base, map, iso=True),
        "xmp.jpg": built.gain_map_jpeg(base, map, iso=False),
    }
    for name, data in files.items():
        (folder / name).write_bytes(data)
