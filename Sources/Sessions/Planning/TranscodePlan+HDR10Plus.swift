internal import FFmpegIO
internal import Frames

extension TranscodePlan {
  /// Decides whether the frames of the output carry the HDR10+ of the input.
  /// - Throws: `Refusal` if it was asked for and would not describe the output, or has no place in it.
  mutating func decideOnHDR10Plus(_ first: CodedFrame) throws(Refusal) {
    let isInFirst = first.metadata.hdr10PlusMessage != nil
    let carries = video.encoder.map(Encoders.carriesHDR10Plus) ?? false
    guard request.copiesHDR10Plus else {
      if isInFirst, carries, leavesLightUnchanged { notes.append(.mapping(.canCopyHDR10Plus)) }
      return
    }
    if !leavesLightUnchanged { throw .invalid(.mapping(.hdr10PlusWouldBeWrong(lightChanges))) }
    guard carries else { throw .invalid(.output(.hasNoPlaceForHDR10Plus(encoder: video.encoder))) }
    if first.metadata.lacksHDR10PlusMessage {
      throw .invalid(.mapping(.hasNoHDR10PlusMessage(seconds: first.time.seconds)))
    }
    video.copiesHDR10Plus = true
    notes = notes.compactMap(\.withoutUnusedHDR10Plus)
    notes.append(.mapping(.copiesHDR10Plus(startsWithFirst: isInFirst)))
  }

  /// Decides what becomes of the input's closed captions.
  /// - Parameter hasCaptions: They were seen.
  mutating func decideOnCaptions(_ hasCaptions: Bool) {
    guard hasCaptions, let lost = lossOfCaptions else { return }
    warnings.append(.output(lost))
  }

  /// Why closed captions are dropped; nil: frames keep them, or nothing is kept of frames.
  var lossOfCaptions: OutputDiagnostic? {
    if StreamPlan.discarding.contains(video.format ?? "") { return nil }
    guard let encoder = video.encoder, Encoders.carriesCaptions(encoder) else {
      return .hasNoPlaceForCaptions(encoder: video.encoder)
    }
    return keepsCaptions ? nil : .breaksCaptions
  }

  private var keepsCaptions: Bool { request.selection.every == 1 }

  /// A frame to render into, with what it keeps of a frame of the input.
  /// - Parameter passes: The input's frame is its own rendition, and need not be rendered.
  /// - Throws: `Refusal`, or the error of the writer.
  func makeFrame(for frame: CodedFrame, by writer: MediaWriter, passing passes: Bool = false) throws -> CodedFrame {
    let metadata = try keptMetadata(of: frame)
    if passes, keepsCaptions || frame.captions.isEmpty { return frame.described(as: video.color).with(metadata) }
    return try writer.makeFrame(
      time: frame.time, fieldOrder: frame.fieldOrder, metadata: metadata, captions: keepsCaptions ? frame.captions : [])
  }

  /// What a frame of the output keeps of the metadata of the input's frame. A part of the stream with other tags is converted, so
  /// that its metadata would be wrong.
  /// - Throws: `Refusal` if there is only what FFmpeg has read of it, of which no exact copy can be made.
  private func keptMetadata(of frame: CodedFrame) throws(Refusal) -> HDRMetadata {
    guard video.copiesHDR10Plus, frame.color == decoded.color else { return HDRMetadata() }
    if frame.metadata.lacksHDR10PlusMessage {
      throw .failed(.mapping(.hasNoHDR10PlusMessage(seconds: frame.time.seconds)))
    }
    return HDRMetadata(hdr10PlusMessage: frame.metadata.hdr10PlusMessage)
  }
}

extension Diagnostic {
  /// The note without HDR10+ as unused metadata; nil if nothing remains.
  fileprivate var withoutUnusedHDR10Plus: Diagnostic? {
    guard case .source(.dynamicMetadataIsUnused(let kinds)) = self else { return self }
    let others = kinds.filter { $0 != .hdr10Plus }
    return others.isEmpty ? nil : .source(.dynamicMetadataIsUnused(others))
  }
}
