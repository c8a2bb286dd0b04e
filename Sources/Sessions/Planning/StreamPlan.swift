package import FFmpegIO
internal import Frames
public import Media

/// Handling of the streams beside the picture: copied if the output can hold them, otherwise re-encoded or reported.
public struct StreamPlan: Sendable, Hashable, Codable {
  /// A stream of the output.
  public enum Stream: Sendable, Hashable, Codable {
    /// The rendered frames.
    case frames
    /// Packets of an input stream, by index, unchanged.
    case copied(Int, StreamLabel)
    /// Audio or subtitles of the input, by index, and their encoding.
    case encoded(Int, StreamLabel, StreamEncoding)

    /// Index of the input stream; nil for frames.
    var source: Int? {
      switch self {
      case .frames: nil
      case .copied(let index, _), .encoded(let index, _, _): index
      }
    }
  }

  /// The streams of the output in order.
  public private(set) var streams: [Stream] = []
  private(set) var videoTags: [String: String] = [:]
  private(set) var videoDispositions: [String] = []
  private(set) var tags: [String: String] = [:]
  private(set) var notes: [Message] = []
  private(set) var warnings: [Message] = []

  /// Tags that describe the container.
  private static let droppedTags: Set<String> = [
    "major_brand", "minor_version", "compatible_brands", "vendor_id", "rotate",
  ]

  /// Input streams to read packets from.
  package var passed: [Int] { streams.compactMap(\.source) }

  /// - Parameters:
  ///   - indices: Indices of the requested streams, including the picture.
  ///   - url: The output.
  ///   - format: FFmpeg's name of the output's container.
  init(
    _ reader: any MediaInput, _ indices: [Int], _ request: StreamRequest, url: String, format: String
  ) throws {
    tags = Self.kept(reader.info.tags)
    let isVideoOnly = request.map.isEmpty && ContainerTraits.of(format).isOfChecks
    var room = StreamRoom(request, url: url, format: format)
    var (unmixed, unheld, undecodable): ([StreamCopy], [StreamCopy], [StreamCopy]) = ([], [], [])
    for index in indices {
      let copy = try (reader as? MediaReader)?.streamCopy(index)
      if index == reader.video.index {
        streams.append(.frames)
        videoTags = Self.kept(copy?.tags ?? [:])
        videoDispositions = copy?.dispositions ?? videoDispositions
        continue
      }
      guard let copy, !isVideoOnly, !Self.isOfChapters(copy, reader.info) else { continue }
      switch try room.add(copy) {
      case .copied:
        streams.append(.copied(index, copy.label))
        if copy.kind == .audio { unmixed.append(copy) }
      case .encoded(let encoding, let made, let isRequested):
        streams.append(.encoded(index, copy.label, encoding))
        notes.append(Self.note(copy, encoding, made, format: format, isRequested: isRequested))
      case .undecodable: undecodable.append(copy)
      case .none:
        // The muxer recreates the timecode track.
        if let timecode = copy.tags["timecode"] { videoTags["timecode"] = timecode } else { unheld.append(copy) }
      }
    }
    if let mix = request.downmix, !unmixed.isEmpty {
      notes.append(Self.needsNoMix(unmixed.map(\.label), mix))
    }
    if request.map.isEmpty, !isVideoOnly { warnOfOtherVideo(reader.info, indices) }
    if !undecodable.isEmpty { warnings.append(Self.notDecodable(undecodable.map(\.label))) }
    if !unheld.isEmpty {
      // Default audio encoding has already been tried.
      let isAdvised = request.audioFallback == StreamRequest.noFallback && unheld.contains(where: \.canBeDecoded)
      report(
        unheld.map(\.label), format: format,
        advising: isAdvised ? Encoders.defaultAudioEncoder(forFormat: format) : nil)
    }
  }

  private mutating func warnOfOtherVideo(_ info: MediaInfo, _ indices: [Int]) {
    let others = info.streams.filter { $0.kind == .video && !indices.contains($0.index) }
    guard !others.isEmpty else { return }
    let names = others.map { "#\($0.index) \($0.codecName)" }.joined(separator: ", ")
    warnings.append(
      Message(
        "other-video-dropped",
        "Only one video stream is processed; dropping \(names). Choose another with \(.map)."))
  }

  /// - Parameter encoder: An encoder for audio among them, if audio encoding is off.
  private mutating func report(_ unheld: [StreamLabel], format: String, advising encoder: String?) {
    if ContainerTraits.of(format).isBare {
      let message = Message("only-picture-held", "\(format) holds only the picture; dropping \(unheld.words).")
      notes.append(message)
    } else {
      warnings.append(Self.notHeld(unheld, format, advising: encoder))
    }
  }

  private static func notHeld(_ labels: [StreamLabel], _ format: String, advising encoder: String?) -> Message {
    var advice: [MessageText] = []
    if let encoder, labels.contains(where: \.isAudio) {
      advice.append("\(.audioFallback, encoder) encodes such audio")
    }
    if !ContainerTraits.of(format).holdsMostStreams, labels.contains(where: { !$0.isData }) {
      advice.append("matroska holds most streams")
    }
    let ending: MessageText = advice.isEmpty ? "." : " (\(advice.joined(separator: "; ")))."
    return Message("streams-not-held", "\(format) cannot hold \(labels.words): dropped\(ending)")
  }

  private static func needsNoMix(_ labels: [StreamLabel], _ mix: ChannelMix) -> Message {
    let verb = labels.count == 1 ? "has" : "have"
    return Message(
      "no-downmix-needed", "\(labels.words) \(verb) no more channels than \(mix.rawValue): copied.")
  }

  private static func notDecodable(_ labels: [StreamLabel]) -> Message {
    let subject = labels.count == 1 ? "it" : "they"
    return Message(
      "streams-not-decodable",
      "This FFmpeg cannot decode \(labels.words), so \(subject) cannot be re-encoded: dropped.")
  }

  /// Returns whether a stream holds chapters, as in QuickTime files. The muxer writes its own.
  private static func isOfChapters(_ copy: StreamCopy, _ info: MediaInfo) -> Bool {
    copy.kind == .data && copy.codecName == "bin_data" && !info.chapters.isEmpty
  }

  private static func kept(_ tags: [String: String]) -> [String: String] {
    tags.filter { key, value in
      // "location-eng" beside "location": FFmpeg's names of tags with a language.
      let base = String(key.prefix { $0 != "-" })
      return !droppedTags.contains(base.lowercased()) && !StreamTags.counts(key) && !StreamTags.namesEncoder(key)
        && (base == key || tags[base] != value)
    }
  }

  private static func note(
    _ copy: StreamCopy, _ encoding: StreamEncoding, _ made: StreamCopy, format: String, isRequested: Bool
  ) -> Message {
    let (label, encoder) = (copy.label.text, encoding.encoder)
    guard let source = copy.audio, let audio = made.audio else {
      return Message(
        "stream-encoded", "\(label) is encoded with \(encoder): \(format) does not support \(copy.codecName).")
    }
    let rate = Encoders.isLossless(encoder) ? nil : made.bitRate
    let encoded = EncodedAudio(source: source, made: audio, bitRate: rate)
    if isRequested { return Message("audio-encoded", "\(label) is encoded with \(encoder): \(encoded.words).") }
    let advice = ContainerTraits.of(format).holdsMostStreams ? "" : "; matroska holds most audio"
    return Message(
      "audio-replaced",
      "\(format) cannot hold \(label): encoded with \(encoder), \(encoded.words) "
        + "(\(.audioFallback) chooses another encoder\(advice)).")
  }

  /// Returns the streams in the writer's form.
  package func outputStreams(of reader: any MediaInput) throws -> [MediaWriter.OutputStream] {
    try streams.compactMap { stream in
      guard let index = stream.source else { return .frames }
      guard let copy = try (reader as? MediaReader)?.streamCopy(index) else {
        throw Refusal.failed(.inputDiffersFromPlan(reader.info.url))
      }
      if case .encoded(_, _, let encoding) = stream { return .encoded(copy, encoding) }
      return .copy(copy)
    }
  }
}

extension StreamRequest {
  /// Returns the indices of the requested streams in output order, without duplicates. Defaults to every stream, but
  /// for video only the best one and covers.
  /// - Throws: `Refusal` if there are none, `FFmpegError.invalidSpecifier`.
  func indices(in reader: any MediaInput) throws -> [Int] {
    guard !map.isEmpty else {
      return reader.info.streams.filter { stream in
        stream.kind != .video || stream.index == reader.video.index || stream.isCover
      }.map(\.index)
    }
    var indices: [Int] = []
    for entry in map {
      let matches = try reader.streams(matching: entry.specifier)
      if matches.isEmpty, !entry.isOptional, !entry.isNegative {
        throw Refusal.invalid(
          "no-such-stream",
          "'\(reader.info.url)' has no stream '\(entry.specifier)': see `headroom probe`, "
            + "or append ? to make it optional.")
      }
      if entry.isNegative {
        indices.removeAll(where: matches.contains)
      } else {
        indices += matches.filter { !indices.contains($0) }
      }
    }
    return indices
  }
}

extension EncodedAudio {
  /// "stereo, 48 kHz, 192 kbit/s; mixed down from 5.1(side) ..."
  fileprivate var words: String {
    var words = "\(made.channelWords), \((Double(made.sampleRate) / 1000).words) kHz"
    if let bitRate { words += ", \(bitRate.bitRateWords)" }
    if isMixed {
      let isWithout = made.channels <= ChannelMix.stereo.channels && source.layout?.contains(".1") == true
      words +=
        "; mixed down from \(source.channelWords)\(isWithout ? " without LFE" : ""), lowered so that nothing clips"
    }
    return words
  }
}

extension AudioStreamInfo {
  fileprivate var channelWords: String { layout ?? (channels.counting("channel")) }
}

extension StreamInfo {
  /// A cover picture, not a timed stream.
  var isCover: Bool { dispositions.contains("attached_pic") }
}
