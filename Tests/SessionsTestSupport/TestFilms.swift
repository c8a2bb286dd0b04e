internal import FFmpegIO
internal import Foundation
internal import Frames
internal import Media
package import Sessions
package import TestSupport

extension TranscodeRequest {
  /// A request that replaces its output. FFV1 keeps every bit.
  package static func replacing(_ input: String, _ output: String, encoder: String = "ffv1") -> TranscodeRequest {
    var request = TranscodeRequest(input: input, output: output)
    request.coding.encoder = encoder
    request.overwrites = true
    return request
  }
}

/// The closed captions of each frame.
package func captions(_ path: String) throws -> [[UInt8]] {
  let reader = try MediaReader(url: path)
  var captions: [[UInt8]] = []
  while let frame = try reader.readFrame() { captions.append(frame.captions) }
  return captions
}

/// Reordered HEVC of 64x64 in PQ with HDR10+.
package enum HDR10PlusFilm {
  /// Messages of the frames, in presentation order.
  package static let messages: [[UInt8]?] = (0..<48).map {
    $0 % 7 == 3 ? nil : HDR10PlusMessage.bytes(average: 500 + $0)
  }

  package static func make(in scratch: Scratch, _ messages: [[UInt8]?] = messages) throws -> String {
    let raw = try scratch.made(
      "a.hevc", size: "64x64", frames: messages.count,
      [
        "-pix_fmt", "yuv420p10le", "-c:v", "libx265", "-preset", "ultrafast", "-x265-params",
        "log-level=none:bframes=0:keyint=12:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:range=limited",
        "-f", "hevc",
      ])
    try Injection.inject(messages, into: raw, .hevc)
    let path = scratch.path("a.mkv")
    try Tool.ffmpeg.run(["-r", "25", "-i", raw, "-c", "copy", path])
    return path
  }

  package static func messages(of path: String) throws -> [[UInt8]?] {
    let reader = try MediaReader(url: path)
    var messages: [[UInt8]?] = []
    while let frame = try reader.readFrame() { messages.append(frame.metadata.hdr10PlusMessage) }
    return messages
  }
}

extension Scratch {
  /// A line of text on frames 2 to 7 of 25 per second, as SubRip.
  package static let titles = "1\n00:00:00,080 --> 00:00:00,320\nA line\n"

  /// A dark clip in PQ, with subtitles as its second stream.
  package func subtitledFilm(_ name: String = "in.mkv", frames: Int = 12) throws -> String {
    let titles = try file("a.srt", Data(Self.titles.utf8))
    let picture = path("picture.mkv")
    try Tool.ffmpeg.run(
      [
        "-f", "lavfi", "-i", "color=color=0x404040:size=192x108:rate=25", "-frames:v", "\(frames)", "-pix_fmt",
        "yuv420p10le", "-c:v", "libx265", "-x265-params", "log-level=none" + Self.light(peak: 1000, maxCLL: 90),
      ] + Self.pq + ["-y", picture])
    try Tool.ffmpeg.run([
      "-i", picture, "-i", titles, "-map", "0", "-map", "1", "-c:v", "copy", "-c:s", "srt", "-metadata:s:s:0",
      "language=eng", "-y", path(name),
    ])
    return path(name)
  }
}
