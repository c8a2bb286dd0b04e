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

  /// What a frame of the output keeps of the metadata of the input's frame. A part of the stream with other tags is converted, so
  /// that its metadata would be wrong.
  /// - Throws: `Refusal` if there is only what FFmpeg has read of it, of which no exact copy can be made.
  func keptMetadata(of frame: CodedFrame) throws(Refusal) -> HDRMetadata {
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
