import FFmpegIO
import Frames
import Media
import Testing

/// A film with its pictures coded again, beside the sound of the original.
enum Remake {
  /// - Parameter encoder: Encodes the sound; nil: it is copied.
  /// - Returns: What the writer found wrong with the file.
  @discardableResult
  static func write(_ output: String, from input: String, audio encoder: String? = nil) throws -> [String] {
    let reader = try MediaReader(url: input)
    let sound = reader.info.streams.filter { $0.kind == .audio }.map(\.index)
    try reader.pass(sound)
    let first = try #require(try reader.peekFrame())
    var settings = MediaWriter.Settings(
      url: output, encoder: "libx264", size: first.size, layout: first.layout, timeBase: reader.video.timeBase,
      frameRate: reader.video.frameRate, color: first.color)
    settings.preset = "ultrafast"
    for index in sound {
      let copy = try #require(try reader.streamCopy(index))
      settings.streams.append(encoder.map { .encoded(copy, StreamEncoding(encoder: $0)) } ?? .copy(copy))
    }
    let writer = try MediaWriter(settings)
    while let item = try reader.read() {
      if let packets = item.passing as? PacketBatch { try writer.pass(packets) }
      if let frame = item.frame { try writer.write(frame) }
    }
    return try writer.finish().sentences
  }
}
