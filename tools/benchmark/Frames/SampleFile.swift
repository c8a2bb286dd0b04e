internal import ColorScience
internal import Foundation
internal import Frames

/// A file of raw frames that ffmpeg extracts from a clip: PQ, BT.2020, limited range, 10-bit 4:2:0.
struct SampleFile {
  static let color: ColorDescription = {
    var color = ColorDescription.bt2100PQ
    color.chromaLocation = .left
    return color
  }()
  /// The same samples, interpreted as HLG.
  static let hlgColor: ColorDescription = {
    var color = ColorDescription.bt2100HLG
    color.chromaLocation = .left
    return color
  }()

  let name: String
  let size: Size
  let layout: PixelLayout
  let frameCount: Int

  init(
    clip: String, size: Size, packing: PixelLayout.Packing = .planar, frameCount: Int, ffmpeg: FFmpeg,
    scratch: Scratch
  ) throws {
    self.size = size
    self.frameCount = frameCount
    layout = PixelLayout(.ycbcr420, bitDepth: 10, packing: packing)
    let pixelFormat = packing == .planar ? "yuv420p10le" : "p010le"
    name = "\(size)-\(pixelFormat).yuv"
    // Another section may have created it.
    guard !FileManager.default.fileExists(atPath: scratch.path(name)) else { return }
    let maker = ffmpeg.process([
      "-stream_loop", "-1", "-i", clip, "-frames:v", "\(frameCount)",
      "-vf", "scale=\(size.width):\(size.height):flags=bicubic", "-pix_fmt", pixelFormat, "-f", "rawvideo", name,
    ])
    _ = try BenchmarkFailure.hinting("Name a clip that ffmpeg reads with --input.") { try maker.run(in: scratch) }
  }

  /// Returns the arguments for ffmpeg to read the frames `loops` times.
  func inputArguments(loops: Int) -> [String] {
    [
      "-f", "rawvideo", "-pixel_format", "yuv420p10le", "-video_size", "\(size)", "-framerate", "60",
      "-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc", "-color_range", "tv",
      "-chroma_sample_location", "left", "-stream_loop", "\(loops - 1)", "-i", name,
    ]
  }
}
