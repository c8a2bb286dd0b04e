internal import ColorScience
internal import FFmpegIO
internal import Frames
internal import Media
internal import Rendering

/// Remarks on unexpected properties of an output.
extension TranscodePlan {
  mutating func note(_ code: Message.Code, _ text: MessageText) { notes.append(Message(code, text)) }

  mutating func warn(_ code: Message.Code, _ text: MessageText) { warnings.append(Message(code, text)) }

  /// - Throws: The error of a library, for outputs that cannot be written.
  mutating func remark(_ first: CodedFrame, _ input: VideoStreamInfo, format: String) throws {
    if let encoder = video.encoder { try remarkOnEncoder(encoder, format) }
    if video.layout.bitDepth == 8, source.layout.bitDepth > 8, target.color.transfer != .bt709 {
      warnings.append(.eightBitHDR)
    }
    remarkOnContainer(format)
    try remarkOnTimes(first, input, format)
    if let order = first.fieldOrder { try remarkOnFields(order, first) }
    if ContainerTraits.of(format).family == .y4m, [.pq, .hlg].contains(target.color.transfer) {
      notes.append(.untaggedY4M(target.color, target.metadata, video.layout))
    }
  }

  private mutating func remarkOnEncoder(_ encoder: String, _ format: String) throws {
    try MediaWriter.check(encoder: encoder, url: request.url, format: format)
    if let rate = video.assumedBitRate {
      warn(
        "bit-rate-assumed",
        "No quality or bit rate is set, so \(encoder) uses \(rate.bitRateWords), too little for most films: "
          + "add \(.bitrate), such as \(.bitrate, "8M").")
    }
    let expected = PixelLayout.common(for: target.color)
    if target.keepsCoding, request.coding.layout == nil,
      video.layout.components != expected.components || video.layout.bitDepth > 10,
      Encoders.rateAbility(encoder)?.crf != nil
    {
      note(
        "input-layout-kept",
        "\(video.layout.name ?? "the layout") is kept from the input, and few devices play it: "
          + "\(.pixelFormat, expected.name ?? "") makes what they expect.")
    }
    if let hardware = HardwareEncoder(encoder), !hardware.writesMetadata,
      video.metadata.masteringDisplay != nil || video.metadata.contentLight != nil
    {
      warn(
        "metadata-only-in-container",
        "\(encoder) does not write mastering display and MaxCLL to the stream: only the container has them (mp4, mov "
          + "and matroska do). libx265 writes both.")
    }
  }

  private mutating func remarkOnContainer(_ format: String) {
    if !video.chapters.isEmpty, MediaWriter.losesChapters(format) {
      let count = video.chapters.count
      warn(
        "no-place-for-chapters",
        "\(format) does not support chapters: the input's \(count.counting("chapter")) \(count == 1 ? "is" : "are") "
          + "dropped.")
      video.chapters = []
    }
    let lost = MediaWriter.lostTags(video.tags, in: format)
    if !lost.isEmpty {
      warn(
        "no-place-for-tags", "\(format) cannot store the tags \(lost.joined(separator: ", ")): they are dropped.")
    }
  }

  private mutating func remarkOnTimes(_ first: CodedFrame, _ input: VideoStreamInfo, _ format: String) throws {
    let late = first.time.seconds - selection.originSeconds(first: first, rate: nil)
    if !selection.beginsWithFrame, late > 1, ContainerTraits.of(format).family != .nothing {
      note("late-first-picture", "The first picture is at \((late * 100).rounded(.down) / 100) s of the output.")
    }
    let keepsTimes = try MediaWriter.keepsTimes(url: request.url, format: format)
    guard input.hasVariableRate else { return }
    if ContainerTraits.of(format).family != .nothing, !keepsTimes {
      warn(
        "frame-times-lost",
        "\(format) needs a constant frame rate, which the input does not have: frame times are lost.")
    }
    if keepsTimes, let rate = video.frameRate, video.timeBase == Rational(rate.denominator, rate.numerator) {
      warn(
        "frame-times-rounded",
        "The encoder has a constant frame rate, \(rate.value.words(decimals: 3)) fps, but the input's is variable: "
          + "frames in between are moved to the nearest tick.")
    }
  }

  private mutating func remarkOnFields(_ order: FieldOrder, _ first: CodedFrame) throws {
    if geometry.orientation != .identity { throw RenderingError.interlacedTurn }
    let height = first.size.height
    if ![first.layout, video.layout].allSatisfy({ $0.dividesIntoFields(height: height) }) {
      warn(
        "field-chroma-mixed",
        "The interlaced pictures are \(height) lines high, which does not divide into two fields: their chroma is "
          + "mixed.")
    }
    if let encoder = video.encoder, !Encoders.keepsFields(encoder) {
      warn(
        "fields-not-signalled",
        "The pictures are interlaced, \(order.words), which \(encoder) cannot signal: players will treat them as "
          + "progressive. libx264, prores_ks and ffv1 can.")
    }
  }
}
