internal import FFmpegIO
internal import Media

/// The streams that an output holds so far beside the picture; decides how to add the next one.
struct StreamRoom {
  /// The handling of a stream.
  enum Place {
    /// Its packets are copied.
    case copied
    /// Encoded, as requested or because the output cannot hold it; the resulting stream.
    case encoded(StreamEncoding, StreamCopy, isRequested: Bool)
    /// Should be encoded, but FFmpeg cannot decode it.
    case undecodable
    /// The output cannot hold it.
    case none
  }

  private let request: StreamRequest
  private let url: String
  private let format: String
  private var held: [StreamCopy] = []

  /// - Parameters:
  ///   - url: The output.
  ///   - format: FFmpeg's name of the output's container.
  init(_ request: StreamRequest, url: String, format: String) {
    (self.request, self.url, self.format) = (request, url, format)
  }

  /// Adds a stream if the output can hold it.
  /// - Throws: `Refusal` if the container holds audio, but not from this encoder; `FFmpegError` if the encoder does not
  ///   exist or does not start.
  mutating func add(_ copy: StreamCopy) throws -> Place {
    let requested = copy.kind == .audio ? try audioEncoding(for: copy) : nil
    if requested == nil, try MediaWriter.holds(copy, beside: held, url: url, format: format) {
      held.append(copy)
      return .copied
    }
    guard let encoding = requested ?? replacement(for: copy) else { return .none }
    if !copy.canBeDecoded { return .undecodable }
    do {
      return try encode(copy, encoding, isRequested: requested != nil)
    } catch  where requested == nil && copy.kind == .audio && request.audioFallback == nil {
      // An encoding that was not requested must not stop the run.
      return .none
    }
  }

  private mutating func encode(_ copy: StreamCopy, _ encoding: StreamEncoding, isRequested: Bool) throws -> Place {
    if let rate = encoding.bitRate, let audio = copy.audio,
      let range = Encoders.audioBitRates(
        encoding.encoder, channels: encoding.mix?.channels ?? audio.channels, sampleRate: audio.sampleRate),
      !range.contains(rate)
    {
      throw Refusal.invalid(
        "audio-bit-rate-out-of-range",
        "\(encoding.encoder) encodes this audio with \(range.lowerBound.bitRateWords) to "
          + "\(range.upperBound.bitRateWords), not \(rate.bitRateWords): choose another \(.audioBitRate).")
    }
    let made = try MediaWriter.encoded(copy, as: encoding, url: url, format: format)
    if try MediaWriter.holds(made, beside: held, url: url, format: format) {
      held.append(made)
      return .encoded(encoding, made, isRequested: isRequested)
    }
    // Either there is one stream too many, or the container rejects it in any case.
    let isAlone = try held.isEmpty || !MediaWriter.holds(made, url: url, format: format)
    if isAlone, copy.kind == .audio, let usual = Encoders.defaultAudioEncoder(forFormat: format) {
      let other = usual == encoding.encoder ? "" : " (\(usual))"
      let isBest = ContainerTraits.of(format).holdsMostStreams
      let container = isBest ? "" : ", or another container (matroska holds most)"
      throw Refusal.invalid(
        "encoded-audio-not-held",
        "\(format) cannot hold \(copy.label.text) as \(encoding.encoder): choose another encoder\(other)\(container).")
    }
    return .none
  }

  /// Returns the encoding of an audio stream; nil: copied.
  private func audioEncoding(for copy: StreamCopy) throws -> StreamEncoding? {
    if request.audioEncoder == "copy" { return nil }
    let mix = request.downmix.flatMap { (copy.audio?.channels ?? 0) > $0.channels ? $0 : nil }
    if request.audioEncoder == nil, mix == nil { return nil }
    let named = request.audioEncoder.map(Encoders.namedAudio)
    guard let encoder = named ?? Encoders.defaultAudioEncoder(forFormat: format) else {
      if try !MediaWriter.holds(copy, url: url, format: format) { return nil }
      throw Refusal.invalid(
        "no-audio-encoder",
        "\(format) has no usual audio encoder for \(.downmix): name one, such as \(.audioEncoder, "aac").")
    }
    return StreamEncoding(encoder: encoder, bitRate: request.audioBitRate, mix: mix)
  }

  /// Returns the encoding of a stream that the output cannot hold unchanged; nil: dropped.
  private func replacement(for copy: StreamCopy) -> StreamEncoding? {
    switch copy.kind {
    case .audio:
      let encoder = request.audioFallback.map(Encoders.namedAudio) ?? Encoders.defaultAudioEncoder(forFormat: format)
      guard let encoder, encoder != StreamRequest.noFallback else { return nil }
      return StreamEncoding(encoder: encoder, bitRate: request.audioBitRate)
    case .subtitle: return subtitleEncoder(for: copy).map { StreamEncoding(encoder: $0) }
    default: return nil
    }
  }

  private func subtitleEncoder(for copy: StreamCopy) -> String? {
    if let encoder = request.subtitleEncoder { return encoder == "copy" ? nil : encoder }
    return copy.isText ? ContainerTraits.of(format).textEncoder : nil
  }
}

extension StreamCopy {
  /// Label for messages.
  var label: StreamLabel {
    StreamLabel(text: words, isAudio: kind == .audio, isData: kind == .data)
  }
}
