import FFmpegIO
import Foundation
import Frames
import ImageFiles
import TestSupport
import Testing

/// Headers that announce more than their files hold take no memory for it: they are refused.
@Suite struct PictureBoundTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  @Test(arguments: [nil, 16]) func anEmptyDisplayWindowIsNotMade(_ tile: Int?) throws {
    let values = [UInt16](repeating: 0x3C00, count: 100)
    let channels = ["R", "G", "B"].map { EXRBuilder.Channel(name: $0, samples: .half(values)) }
    func read(_ edge: Int32) throws -> StillImage {
      let part = EXRBuilder.Part(channels, data: [0, 0, 9, 9], display: [0, 0, edge - 1, edge - 1], tile: tile)
      let path = scratch.path("a.exr")
      try EXRBuilder(parts: [part]).data().write(to: URL(fileURLWithPath: path))
      return try EXRReader.read(path)
    }
    #expect(throws: ImageFileError.self) { try read(16_384) }
    #expect(try read(2048).frame.size.width == 2048)
  }

  @Test func aShortPNGIsNotMade() throws {
    let path = scratch.path("a.png")
    _ = try scratch.clip("a.png", size: "64x64", frames: 1, ["-pix_fmt", "rgb24", "-update", "1"])
    let script = """
      import sys, zlib, struct
      data = bytearray(open(sys.argv[1], 'rb').read())
      data[16:24] = struct.pack('>II', 16384, 16384)
      data[29:33] = struct.pack('>I', zlib.crc32(bytes(data[12:29])))
      open(sys.argv[1], 'wb').write(data)
      """
    _ = try Python.run(script, [path])
    let error = #expect(throws: FFmpegError.self) { try MediaReader(url: path).readFrame() }
    #expect("\(String(describing: error))".contains("16384x16384"))
  }

  /// A picture of one colour packs to nearly nothing, and is read whatever its size.
  @Test func onePlainColourIsNoBomb() throws {
    try Tool.ffmpeg.run([
      "-f", "lavfi", "-i", "color=black:s=4096x4096", "-frames:v", "1", "-pix_fmt", "rgb24", "-compression_level", "9",
      scratch.path("a.png"),
    ])
    #expect(try MediaReader(url: scratch.path("a.png")).readFrame()?.size == Size(width: 4096, height: 4096))
  }
}
