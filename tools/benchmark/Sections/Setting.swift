internal import Foundation
internal import Frames

/// The common settings of all sections.
struct Setting {
  let scratch: Scratch
  let ffmpeg: FFmpeg
  /// An ffmpeg with the filter `tonemapx`.
  let tonemapxFFmpeg: FFmpeg?
  /// The program for measuring whole processes.
  let headroom: String?
  let headroomVersion: String?
  let clip: String
  let rounds: Int

  init(_ options: Benchmark, in scratch: Scratch) throws {
    guard FileManager.default.isReadableFile(atPath: options.input) else {
      throw BenchmarkFailure("'\(options.input)' cannot be read: name an HDR10 clip with --input.")
    }
    self.scratch = scratch
    // Children run in the scratch folder.
    clip = URL(fileURLWithPath: options.input).path
    headroom = options.headroom.map { URL(fileURLWithPath: $0).path }
    headroomVersion = try headroom.map { program in
      try BenchmarkFailure.hinting("Name the headroom program with --headroom.") {
        try MeasuredProcess(program: program, arguments: ["--version"]).output(in: scratch)
          .trimmingCharacters(in: .whitespacesAndNewlines)
      }
    }
    rounds = options.rounds ?? (options.quick ? 8 : 5)
    ffmpeg = try BenchmarkFailure.hinting(
      "The frames are made by ffmpeg: install it (Debian: apt-get install ffmpeg)."
    ) { try FFmpeg("ffmpeg", in: scratch) }
    tonemapxFFmpeg = try Self.tonemapxFFmpeg(in: scratch)
  }

  private static func tonemapxFFmpeg(in scratch: Scratch) throws -> FFmpeg? {
    guard let name = ProcessInfo.processInfo.environment["TONEMAPX_FFMPEG"], !name.isEmpty else { return nil }
    let program = name.contains("/") ? URL(fileURLWithPath: name).path : name
    let ffmpeg = try BenchmarkFailure.hinting("The environment variable TONEMAPX_FFMPEG names it.") {
      try FFmpeg(program, in: scratch)
    }
    guard ffmpeg.has(filter: "tonemapx") else {
      throw BenchmarkFailure(
        "'\(name)', which TONEMAPX_FFMPEG names, has no filter tonemapx: name one that has, or unset the variable.")
    }
    return ffmpeg
  }

  /// The reason why FFmpeg's stock chain cannot be measured; nil: it can.
  var missingStockFilter: String? {
    ["zscale", "tonemap"].first { !ffmpeg.has(filter: $0) }.map {
      "ffmpeg \(ffmpeg.version) has no filter \($0): use one built with --enable-libzimg, as Debian's package is."
    }
  }

  func file(_ size: Size, packing: PixelLayout.Packing = .planar, frameCount: Int) throws -> SampleFile {
    try SampleFile(
      clip: clip, size: size, packing: packing, frameCount: frameCount, ffmpeg: ffmpeg, scratch: scratch)
  }
}

/// A size to measure, and the number of frames.
struct Resolution {
  let size: Size
  let frameCount: Int
  /// Number of loops of ffmpeg over the frames in one run: enough to make its startup time negligible.
  let loops: Int

  static let fullHD = Resolution(size: Size(width: 1920, height: 1080), frameCount: 12, loops: 2)
  static let ultraHD = Resolution(size: Size(width: 3840, height: 2160), frameCount: 4, loops: 3)
  static let all = [fullHD, ultraHD]
}
