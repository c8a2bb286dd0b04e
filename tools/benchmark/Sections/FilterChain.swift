internal import Foundation

/// An ffmpeg filter chain equivalent to a render.
struct FilterChain {
  let name: String
  let filters: String
  let ffmpeg: FFmpeg

  private static let tail = "tonemap=tonemap=hable:desat=0,zscale=t=bt709:m=bt709:r=tv,format=yuv420p"

  /// The fastest known form of the chain: primaries and linear light in one filter.
  static func stock(_ ffmpeg: FFmpeg) -> FilterChain {
    FilterChain(
      name: "zscale, tonemap, zscale", filters: "zscale=t=linear:npl=100:p=bt709,format=gbrpf32le," + tail,
      ffmpeg: ffmpeg)
  }

  /// The form in FFmpeg's documentation and most guides.
  static func documented(_ ffmpeg: FFmpeg) -> FilterChain {
    FilterChain(
      name: "the same with three zscale",
      filters: "zscale=t=linear:npl=100,format=gbrpf32le,zscale=p=bt709," + tail, ffmpeg: ffmpeg)
  }

  /// A look-up table in planar R'G'B', which takes half the time of the packed form that ffmpeg would choose.
  static func lut3d(_ ffmpeg: FFmpeg, in scratch: Scratch) throws -> FilterChain {
    let name = "identity.cube"
    let last = 32
    let steps = (0...last).map { Double($0) / Double(last) }
    let lines = steps.flatMap { b in steps.flatMap { g in steps.map { r in "\(r) \(g) \(b)" } } }
    let text = "LUT_3D_SIZE \(last + 1)\n" + lines.joined(separator: "\n") + "\n"
    try text.write(toFile: scratch.path(name), atomically: false, encoding: .utf8)
    return FilterChain(
      name: "lut3d, 33 points, tetrahedral",
      filters: "format=gbrp10le,lut3d=file=\(name):interp=tetrahedral,format=yuv420p", ffmpeg: ffmpeg)
  }

  static func tonemapx(_ ffmpeg: FFmpeg) -> FilterChain {
    FilterChain(
      name: "tonemapx (\(ffmpeg.version))",
      filters: "tonemapx=tonemap=hable:desat=0:peak=100:t=bt709:m=bt709:p=bt709:format=yuv420p", ffmpeg: ffmpeg)
  }

  /// Returns a process that runs the chain on one thread and discards its output.
  func process(_ file: SampleFile, loops: Int) -> MeasuredProcess {
    Self.process(ffmpeg, file, loops: loops, ["-vf", filters])
  }

  /// Returns the same process without the chain, to measure the cost of reading frames.
  static func reading(_ ffmpeg: FFmpeg, _ file: SampleFile, loops: Int) -> MeasuredProcess {
    process(ffmpeg, file, loops: loops, [])
  }

  private static func process(
    _ ffmpeg: FFmpeg, _ file: SampleFile, loops: Int, _ filters: [String]
  ) -> MeasuredProcess {
    ffmpeg.process(
      ["-filter_threads", "1", "-filter_complex_threads", "1", "-threads", "1"] + file.inputArguments(loops: loops)
        + filters + ["-threads", "1", "-f", "null", "-"])
  }
}
