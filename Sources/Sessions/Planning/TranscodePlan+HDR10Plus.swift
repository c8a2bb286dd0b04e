package import FFmpegIO
package import Frames

extension TranscodePlan {
  /// Decides whether output frames carry the HDR10+ of the input.
  /// - Throws: `Refusal` if it was requested but would not describe the output, or the output cannot hold it.
  mutating func decideOnHDR10Plus(_ first: CodedFrame) throws(Refusal) {
    let isInFirst = first.metadata.hdr10PlusMessage != nil
    let carries = video.encoder.map(Encoders.carriesHDR10Plus) ?? false
    guard request.copiesHDR10Plus else {
      if isInFirst, carries, leavesLightUnchanged {
        notes.append(
          Message(
            "hdr10plus-can-be-copied",
            "The light is left as it is: \(.hdr10Plus, "copy") keeps the HDR10+ metadata."))
      }
      return
    }
    if !leavesLightUnchanged { throw .invalid(.wrongHDR10Plus(lightChanges)) }
    guard carries else {
      throw .invalid(
        "no-place-for-hdr10plus",
        "\(video.encoder ?? "This container") has no place for HDR10+: \(.hdr10Plus, "copy") needs HEVC (libx265) or "
          + "AV1 (libsvtav1).")
    }
    if first.metadata.lacksHDR10PlusMessage {
      throw .invalid(.noCodedHDR10Plus(in: first))
    }
    video.copiesHDR10Plus = true
    notes.append(isInFirst ? .copiedHDR10Plus : .laterHDR10Plus)
  }

  /// Decides whether to keep the input's closed captions.
  /// - Parameter hasCaptions: The input has captions.
  mutating func decideOnCaptions(_ hasCaptions: Bool) {
    guard hasCaptions, let lost = lossOfCaptions else { return }
    warnings.append(lost)
  }

  /// Why closed captions are dropped; nil: frames keep them, or no frame data is kept.
  var lossOfCaptions: Message? {
    if ContainerTraits.of(video.format).isOfChecks { return nil }
    guard let encoder = video.encoder, Encoders.carriesCaptions(encoder) else {
      return Message(
        "no-place-for-captions",
        "The input has closed captions (CEA-608/708), which \(video.encoder ?? "this container") has no place for: "
          + "they are dropped. H.264, HEVC, AV1 and MPEG-2 have one.")
    }
    if keepsCaptions { return nil }
    return Message(
      "captions-need-all-frames",
      "The input has closed captions (CEA-608/708), which are spread over all of its frames: with \(.every) they are "
        + "dropped.")
  }

  private var keepsCaptions: Bool { request.selection.every == 1 }

  /// Returns a frame to render into, with the data kept from an input frame.
  /// - Parameter passes: The input frame is passed through, and need not be rendered.
  /// - Throws: `Refusal`, or the error of the writer.
  package func makeFrame(for frame: CodedFrame, by writer: MediaWriter, passing passes: Bool = false) throws
    -> CodedFrame
  {
    let metadata = try keptMetadata(of: frame)
    if passes, keepsCaptions || frame.captions.isEmpty { return frame.described(as: video.color).with(metadata) }
    return try writer.makeFrame(
      time: frame.time, fieldOrder: frame.fieldOrder, metadata: metadata, captions: keepsCaptions ? frame.captions : [])
  }

  /// Returns the metadata kept from an input frame. A segment of the stream with other tags is converted, so that its
  /// metadata would be wrong.
  /// - Throws: `Refusal` if only FFmpeg's parsed form is available, which cannot be copied exactly.
  private func keptMetadata(of frame: CodedFrame) throws(Refusal) -> HDRMetadata {
    guard video.copiesHDR10Plus, frame.color == decoded.color else { return HDRMetadata() }
    if frame.metadata.lacksHDR10PlusMessage {
      throw .failed(.noCodedHDR10Plus(in: frame))
    }
    return HDRMetadata(hdr10PlusMessage: frame.metadata.hdr10PlusMessage)
  }
}

extension Message {
  /// HDR10+ is copied, and the first frame has it.
  fileprivate static let copiedHDR10Plus = Message("hdr10plus-copied", "HDR10+ is copied, frame by frame.")

  /// HDR10+ is copied, but the first frame does not have it.
  fileprivate static let laterHDR10Plus = Message(
    "hdr10plus-not-in-first-frame", "The first frame has no HDR10+: it is copied where frames have it.")

  /// The coded data of a frame has no HDR10+, although FFmpeg reports it.
  fileprivate static func noCodedHDR10Plus(in frame: CodedFrame) -> Message {
    Message(
      "no-coded-hdr10plus",
      "The HDR10+ of the frame at \(frame.time.seconds.words(decimals: 3)) s is not in the coded picture, where it "
        + "could be copied from: use \(.hdr10Plus, "none").")
  }
}
