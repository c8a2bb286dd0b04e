internal import FFmpegIO

/// The streams that `--map` names, in the order in which they go into the output.
struct StreamMap {
  /// One `--map`.
  struct Entry {
    /// FFmpeg's stream specifier; empty is every stream.
    var specifier: String
    /// "-0:d": the streams are taken out again.
    var isNegative: Bool
    /// "0:s?": there need not be one.
    var isOptional: Bool

    /// - Returns: nil unless it begins with the one input, 0.
    init?(_ text: String) {
      var rest = text[...]
      isNegative = rest.hasPrefix("-")
      if isNegative { rest = rest.dropFirst() }
      isOptional = rest.hasSuffix("?")
      if isOptional { rest = rest.dropLast() }
      guard rest.hasPrefix("0") else { return nil }
      rest = rest.dropFirst()
      guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
      specifier = String(rest.dropFirst())
    }
  }

  /// Places in the input, each once.
  var indices: [Int] = []

  /// - Parameters:
  ///   - entries: What the user wrote; without any it is every stream, of pictures the best and covers only.
  ///   - reader: The input.
  init(_ entries: [String], _ reader: any MediaInput) throws {
    guard !entries.isEmpty else {
      indices = reader.info.streams.filter { stream in
        stream.kind != .video || stream.index == reader.video.index || stream.dispositions.contains("attached_pic")
      }.map(\.index)
      return
    }
    for entry in entries.compactMap(Entry.init) {
      let matches = try reader.streams(matching: entry.specifier)
      if matches.isEmpty, !entry.isOptional, !entry.isNegative {
        throw CommandFailure(
          "'\(reader.info.url)' has no stream '\(entry.specifier)': see `headroom probe`, or add ? to take it where it is.",
          .usage)
      }
      if entry.isNegative {
        indices.removeAll(where: matches.contains)
      } else {
        indices += matches.filter { !indices.contains($0) }
      }
    }
  }
}
