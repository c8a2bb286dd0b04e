import ColorScience
import Foundation
import Frames
import ImageFiles
import TestSupport
import Testing

@Suite struct RawTests {
  private let size = Size(width: 37, height: 11)

  @Test func halvesAreInterleaved() throws {
    let frame = HalfFrames.anyBits(size)
    let bytes = try RawEncoder(format: .rgba16Float).encode(frame)
    let (red, green, blue) = (frame.samples(2), frame.samples(0), frame.samples(1))
    // 1.0 is 0x3C00.
    let expected = red.indices.flatMap { [red[$0], green[$0], blue[$0], 0x3C00] }
    #expect(difference(Data(bytes).words.map { Int($0) }, expected) == nil)
  }

  @Test func ffmpegReadsPackedTenBit() throws {
    let scratch = try Scratch()
    let frame = CodedFrame(size: size, layout: PixelLayout(.rgb, bitDepth: 10), color: ImageSpace.bt2100PQ.color)
    for plane in 0..<3 {
      for y in 0..<size.height {
        for x in 0..<size.width { frame.setSample((x * 331 + y * 57 + plane * 401) & 1023, plane: plane, x: x, y: y) }
      }
    }
    let path = scratch.path("a.raw")
    let bytes = try RawEncoder(format: .bgr10a2).encode(frame)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let decoded = try Tool.ffmpeg.run([
      "-f", "rawvideo", "-pix_fmt", "x2rgb10le", "-s", "37x11", "-i", path, "-f", "rawvideo", "-pix_fmt", "gbrp10le",
      "-",
    ])
    #expect(difference(decoded.words.map { Int($0) }, (0..<3).flatMap { frame.samples($0) }) == nil)
    #expect(stride(from: 3, to: bytes.count, by: 4).allSatisfy { bytes[$0] >> 6 == 3 })
  }

  @Test func sidecarIsWhatPythonNeedsToReadTheFrames() throws {
    let scratch = try Scratch()
    let frames = (1...2).map { HalfFrames.anyBits(size, seed: $0) }
    let raw = try frames.flatMap { try RawEncoder(format: .rgba16Float).encode($0) }
    let sidecar = RawSidecar(
      size: size, format: .rgba16Float, space: .linearP3, white: 203, times: [0, 0.04])
    try Data(raw).write(to: URL(fileURLWithPath: scratch.path("a.raw")))
    try Data(sidecar.json.utf8).write(to: URL(fileURLWithPath: scratch.path("a.json")))
    let script = """
      import json, sys, numpy as np
      j = json.load(open(sys.argv[1] + '/a.json'))
      assert j['format'] == 'headroom-raw' and j['pixel_format'] == 'rgba16Float'
      assert j['stride_bytes'] == j['width'] * 8 and j['frame_bytes'] == j['stride_bytes'] * j['height']
      a = np.fromfile(sys.argv[1] + '/a.raw', {'little-endian': '<', 'big-endian': '>'}[j['byte_order']] + 'u2')
      a = a.reshape(j['nb_frames'], j['height'], j['width'], 4)
      print(j['color_space'], j['white'], j['times'], a[1, 3, 5, 0], a[1, 3, 5, 2])
      """
    let x = (frames[1].sample(plane: 2, x: 5, y: 3), frames[1].sample(plane: 1, x: 5, y: 3))
    let words = try Python.run(script, [scratch.folder.path])
    #expect(words == "extendedLinearDisplayP3 203 [0, 0.04] \(x.0) \(x.1)\n")
    let scene = RawSidecar(size: size, format: .bgr10a2, space: .bt2100HLG, white: nil, times: [])
    #expect(scene.json.contains("\"white\" : null"))
  }
}
