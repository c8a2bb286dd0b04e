internal import FFmpegIO
internal import Frames

/// What becomes of the streams beside the picture: copied where the output can hold them, else encoded anew, else named.
struct StreamPlan {
  /// The streams of the output in order.
  var streams: [MediaWriter.OutputStream] = []
  /// Streams whose packets are needed.
  var passed: [StreamCopy] = []
  var videoTags: [String: String] = [:]
  var videoDispositions: [String] = []
  var tags: [String: String] = [:]
  /// What is encoded anew.
  var notes: [String] = []
  /// What the output cannot hold, in one sentence.
  var warnings: [String] = []

  /// Containers' own words about themselves, and about packets that are not the same any more.
  private static let droppedTags: Set<String> = [
    "major_brand", "minor_version", "compatible_brands", "encoder", "vendor_id", "rotate", "duration", "bps",
    "number_of_frames", "number_of_bytes",
  ]
  /// Outputs for which the frames alone are asked for unless `--map` says otherwise.
  private static let discarding: Set<String> = [
    "null", "framemd5", "md5", "hash", "framehash", "streamhash", "framecrc", "crc",
  ]
  /// Outputs that are nothing but frames.
  private static let pictureOnly: Set<String> = ["yuv4mpegpipe", "rawvideo"]

  /// - Parameters:
  ///   - map: The streams that are wanted; the picture is among them.
  ///   - url: The output.
  ///   - format: The output's container by FFmpeg's name.
  init(_ reader: any MediaInput, _ map: StreamMap, options: StreamOptions, url: String, format: String) throws {
    tags = Self.kept(reader.info.tags)
    let isVideoOnly = options.map.isEmpty && Self.discarding.contains(format)
    var unheld: [StreamCopy] = []
    for index in map.indices {
      let copy = try reader.streamCopy(index)
      if index == reader.video.index {
        streams.append(.frames)
        videoTags = Self.kept(copy?.tags ?? [:])
        videoDispositions = copy?.dispositions ?? videoDispositions
      }
      guard let copy, index != reader.video.index else { continue }
      if isVideoOnly || isOfChapters(copy, reader.info) {
        continue
      } else if try MediaWriter.holds(copy, beside: streams.compactMap(\.copied), url: url, format: format) {
        streams.append(.copy(copy))
      } else if let encoder = Self.encoder(for: copy, options, format: format),
        try Self.hasRoom(for: copy.kind, beside: streams.compactMap(\.copied), url: url, format: format)
      {
        streams.append(.encoded(copy, encoder: encoder))
        notes.append("\(copy.words) is encoded as \(encoder): \(format) does not hold \(copy.codecName).")
      } else if let timecode = copy.tags["timecode"] {
        // The muxer makes a track of it again.
        videoTags["timecode"] = timecode
      } else {
        unheld.append(copy)
      }
    }
    passed = streams.compactMap(\.source)
    let otherVideo = reader.info.streams.filter { $0.kind == .video && !map.indices.contains($0.index) }
    if options.map.isEmpty, !otherVideo.isEmpty, !isVideoOnly {
      let words = otherVideo.map { "#\($0.index) \($0.codecName)" }.joined(separator: ", ")
      warnings.append("One video stream is processed, and \(words) is left out: choose another with --map.")
    }
    if !unheld.isEmpty {
      if Self.pictureOnly.contains(format) {
        notes.append("\(format) holds the picture only: \(Self.words(unheld)) left out.")
      } else {
        warnings.append(Self.warning(unheld, format: format))
      }
    }
  }

  /// QuickTime files keep their chapters in a stream as well, which a muxer makes anew.
  private func isOfChapters(_ copy: StreamCopy, _ info: MediaInfo) -> Bool {
    copy.kind == .data && copy.codecName == "bin_data" && !info.chapters.isEmpty
  }

  private static func kept(_ tags: [String: String]) -> [String: String] {
    tags.filter { key, value in
      // "BPS-eng", or "location-eng" beside "location": FFmpeg's way with tags that have a language.
      let base = String(key.prefix { $0 != "-" })
      return !droppedTags.contains(base.lowercased()) && !key.hasPrefix("_STATISTICS")
        && (base == key || tags[base] != value)
    }
  }

  /// What a stream that cannot be copied is encoded with; nil where nothing does.
  private static func encoder(for copy: StreamCopy, _ options: StreamOptions, format: String) -> String? {
    switch copy.kind {
    case .audio:
      return options.soundEncoder == "copy" ? nil : options.soundEncoder
    case .subtitle:
      if let encoder = options.subtitleEncoder { return encoder == "copy" ? nil : encoder }
      guard copy.isText else { return nil }
      switch format {
      case "mp4", "mov", "ipod", "3gp", "3g2", "ismv": return "mov_text"
      case "matroska": return "subrip"
      case "webm": return "webvtt"
      default: return nil
      }
    default: return nil
    }
  }

  /// Whether the output takes one more of a kind: whether it takes one that it has twice.
  private static func hasRoom(
    for kind: StreamInfo.Kind, beside copies: [StreamCopy], url: String, format: String
  ) throws -> Bool {
    guard let other = copies.first(where: { $0.kind == kind }) else { return true }
    return try MediaWriter.holds(other, beside: copies, url: url, format: format)
  }

  private static func words(_ streams: [StreamCopy]) -> String { streams.map(\.words).joined(separator: ", ") }

  private static func warning(_ unheld: [StreamCopy], format: String) -> String {
    var advice: [String] = []
    if unheld.contains(where: { $0.kind == .audio }) { advice.append("-c:a aac re-encodes audio") }
    if format != "matroska", unheld.contains(where: { $0.kind != .data }) {
      advice.append("matroska holds most streams")
    }
    return "\(format) cannot hold \(words(unheld)): left out"
      + (advice.isEmpty ? "." : " (\(advice.joined(separator: "; "))).")
  }
}
