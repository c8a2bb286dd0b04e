import ColorScience
import FFmpegIO
import Foundation
internal import Media
import TestSupport
import Frames
import Testing

@Suite struct ReaderTests {
  /// The samples of all frames in the order of planes and rows, as rawvideo has them.
  private func samples(_ path: String) throws -> Data {
    let reader = try MediaReader(url: path)
    var data = Data()
    while let frame = try reader.readFrame() {
      for plane in 0..<frame.layout.planeCount {
        unsafe frame.withPlane(plane) { view in
          for y in 0..<(unsafe view.size.height) {
            let bytes = unsafe view.size.width * frame.layout.bytesPerSample
            unsafe data.append(view.row(y).assumingMemoryBound(to: UInt8.self), count: bytes)
          }
        }
      }
    }
    return data
  }

  @Test(arguments: [
    "yuv420p", "yuvj420p", "yuv420p10le", "yuv420p12le", "yuv422p", "yuv422p10le", "yuv444p", "yuv444p12le", "gbrp",
    "gbrp10le", "gbrp12le", "gbrp16le", "nv12", "gray", "gray10le", "gray12le", "gray16le",
  ])
  func nativeFormatsAreUnchanged(_ format: String) throws {
    let scratch = try Scratch()
    let codec = format.hasPrefix("yuvj") ? "mjpeg" : "rawvideo"
    let path = try scratch.clip("a.nut", size: "130x74", frames: 3, ["-pix_fmt", format, "-c:v", codec])
    let raw = try Tool.ffmpeg.run(["-i", path, "-f", "rawvideo", "-"])
    #expect(try MediaReader(url: path).video.pixelFormatName == format)
    #expect(try samples(path) == raw)
  }

  @Test(arguments: [
    ("yuv420p10be", PixelLayout(.ycbcr420, bitDepth: 10), "yuv420p10le"),
    ("nv21", PixelLayout(.ycbcr420, bitDepth: 8), "yuv420p"),
    ("yuyv422", PixelLayout(.ycbcr422, bitDepth: 8), "yuv422p"),
    ("rgb24", PixelLayout(.rgb, bitDepth: 8), "gbrp"),
    ("yuva420p", PixelLayout(.ycbcr420, bitDepth: 8), "yuv420p"),
    ("yuv444p9le", PixelLayout(.ycbcr444, bitDepth: 10), nil),
    ("rgb48le", PixelLayout(.rgb, bitDepth: 16), "gbrp16le"),
    ("gray10be", PixelLayout(.gray, bitDepth: 10), "gray10le"),
    ("gray16be", PixelLayout(.gray, bitDepth: 16), "gray16le"),
    ("ya8", PixelLayout(.rgb, bitDepth: 8), "gbrp"),
    ("monob", PixelLayout(.gray, bitDepth: 8), "gray"),
  ])
  func otherFormatsBecomeTheNearest(_ format: String, _ layout: PixelLayout, _ exact: String?) throws {
    let scratch = try Scratch()
    let path = try scratch.clip("a.nut", size: "130x74", frames: 2, ["-pix_fmt", format, "-c:v", "rawvideo"])
    let reader = try MediaReader(url: path)
    #expect(reader.video.layout == layout)
    #expect(try reader.peekFrame()?.layout == layout)
    guard let exact else { return }
    let raw = try Tool.ffmpeg.run(["-i", path, "-f", "rawvideo", "-pix_fmt", exact, "-"])
    #expect(try samples(path) == raw)
  }

  @Test func rowsThatRunUpwardsAreTurned() throws {
    let scratch = try Scratch()
    let path = try scratch.clip("a.avi", frames: 1, ["-pix_fmt", "bgr24", "-c:v", "rawvideo"])
    let raw = try Tool.ffmpeg.run(["-i", path, "-f", "rawvideo", "-pix_fmt", "gbrp", "-"])
    #expect(try samples(path) == raw)
  }

  @Test func rangeOfAConvertedPictureStays() throws {
    let scratch = try Scratch()
    let path = try scratch.clip(
      "a.mkv", frames: 1, ["-pix_fmt", "yuv420p16le", "-color_range", "pc", "-c:v", "ffv1"])
    let reader = try MediaReader(url: path)
    let frame = try #require(try reader.readFrame())
    let raw = try Tool.ffmpeg.run(["-i", path, "-f", "rawvideo", "-"])
    for x in 0..<128 {
      let stored = Int(raw[2 * x]) | Int(raw[2 * x + 1]) << 8
      #expect(abs(frame.sample(plane: 0, x: x, y: 0) - stored / 16) <= 1)
    }
    #expect(frame.color.range == .full)
  }

  @Test func fieldsAreCounted() throws {
    let scratch = try Scratch()
    let path = try scratch.clip(
      "a.mpg", frames: 4, ["-c:v", "mpeg2video", "-flags", "+ildct+ilme", "-top", "1", "-vf", "setfield=tff"])
    let reader = try MediaReader(url: path)
    while try reader.readFrame() != nil {}
    #expect(reader.statistics.frames == 4)
    #expect(reader.statistics.interlacedFrames == 4)
  }

  @Test func errorsSayWhatIsWrong() throws {
    let scratch = try Scratch()
    let empty = scratch.path("empty.mp4")
    try Data().write(to: URL(fileURLWithPath: empty))
    #expect(throws: FFmpegError.emptyFile(path: empty)) { try MediaReader(url: empty) }
    let sound = scratch.path("a.wav")
    try Tool.ffmpeg.run(["-f", "lavfi", "-i", "sine=duration=0.1", sound])
    #expect(throws: FFmpegError.noVideoStream(path: sound)) { try MediaReader(url: sound) }
    #expect(try MediaReader.probe(url: sound).streams.first?.audio?.sampleRate == 44_100)
    let error = #expect(throws: FFmpegError.self) { try MediaReader(url: scratch.path("none.mp4")) }
    #expect(error?.description.contains("No such file") == true)
  }
}
