package import Foundation
package import TestSupport
import Testing

/// Videos that are part of the package.
package enum Sample {
  package static let hdr10 = path("hdr10-sample.mp4")
  package static let hlg = path("hlg-sample.mp4")

  private static func path(_ name: String) -> String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("media/\(name)").path
  }
}

/// A clip of others by the beginning of its name; nil, and a test does nothing, where there are none.
package func clip(_ prefix: String) -> String? { Clip.all.first { $0.file.hasPrefix(prefix) }?.path }

extension Scratch {
  package static let bt709 = [
    "-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709", "-color_range", "tv",
  ]
  package static let pq = [
    "-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc", "-color_range", "tv",
  ]

  /// A file of these bytes.
  package func file(_ name: String, _ data: Data = Data()) throws -> String {
    try data.write(to: URL(fileURLWithPath: path(name)))
    return path(name)
  }

  package func bytes(_ path: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

  /// What ffmpeg makes of some bars.
  package func made(_ name: String, size: String = "128x96", frames: Int = 5, _ arguments: [String]) throws -> String {
    try clip(name, size: size, frames: frames, arguments)
  }

  /// Bars in BT.709 that want for nothing.
  package func plain(_ name: String, size: String = "128x96", frames: Int = 5, _ arguments: [String] = []) throws
    -> String
  {
    try clip(name, size: size, frames: frames, ["-pix_fmt", "yuv420p", "-c:v", "ffv1"] + Self.bt709 + arguments)
  }

  /// Raw streams of H.264, one behind the other.
  package func joined(_ name: String, _ parts: [[String]]) throws -> String {
    let streams = try parts.enumerated().map { index, arguments in
      try bytes(
        made(
          "part\(index).h264",
          frames: 3, ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"] + arguments))
    }
    return try file(name, streams.reduce(Data(), +))
  }

  /// A raw stream of HEVC in PQ: three pictures, each with a message of T.35.
  package func hevc(_ name: String, message: [UInt8]? = nil, _ parameters: String = "") throws -> String {
    let tags = "colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:range=limited"
    let raw = try made(
      name, size: "64x64", frames: 3,
      [
        "-pix_fmt", "yuv420p10le", "-c:v", "libx265", "-preset", "ultrafast", "-x265-params",
        "log-level=none:bframes=0:\(tags)\(parameters)", "-f", "hevc",
      ])
    if let message { try Injection.inject(Array(repeating: message, count: 3), into: raw, .hevc) }
    return raw
  }

  /// A mastering display and MaxCLL for x265.
  package static func light(peak: Int, maxCLL: Int) -> String {
    let display = "G(8500,39850)B(6550,2300)R(35400,14600)WP(15635,16450)L(\(peak * 10_000),50)"
    return ":hdr10=1:master-display=\(display):max-cll=\(maxCLL),100"
  }

  /// A clip whose track header holds a display matrix in units of 1/65536.
  package func rotated(
    _ name: String, _ a: Int32, _ b: Int32, _ c: Int32, _ d: Int32, _ arguments: [String] = []
  ) throws -> String {
    try turned(plain(name, arguments), name, a, b, c, d)
  }

  /// The same of a clip that there is.
  package func turned(_ path: String, _ name: String, _ a: Int32, _ b: Int32, _ c: Int32, _ d: Int32) throws -> String {
    var data = try bytes(path)
    let header = try #require(data.range(of: Data("tkhd".utf8)))
    // ISO/IEC 14496-12, 8.3.2, version 0: forty bytes from the version to the matrix.
    for (index, value) in [a, b, 0, c, d].enumerated() {
      let place = header.upperBound + 40 + 4 * index
      let units = Data([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) })
      data.replaceSubrange(place..<place + 4, with: units)
    }
    return try file(name, data)
  }

  /// A picture of linear light with an unknown unit.
  package func lightPicture(_ name: String = "light.exr") throws -> String {
    try made(name, frames: 1, ["-pix_fmt", "gbrpf32le", "-c:v", "exr", "-format", "half"])
  }
}
