internal import Frames
internal import Media
internal import Synchronization

extension MediaReader {
  /// Continues with the first frame at or after a time.
  ///
  /// Decoding begins at an earlier random access point from which every frame matches a decode from the start.
  /// - Parameter seconds: From the start of the file, as `-ss` of ffmpeg; rounded to the stream's time base.
  /// - Throws: `FFmpegError` if the input is not seekable.
  public func seek(toSeconds seconds: Double) throws(FFmpegError) {
    let ticks = ((seconds + (info.startTime ?? 0)) / video.timeBase.value).rounded()
    try seek(to: ticks.isNaN ? 0 : Int64(exactly: ticks) ?? (ticks < 0 ? .min : .max))
  }

  /// Continues with the first frame at or after a presentation time, as `seek(toSeconds:)` does, without rounding.
  /// - Parameter presentation: In units of the time base of `video`, as in `FrameTime.presentation` of its frames.
  /// - Throws: `FFmpegError` if the input is not seekable.
  public func seek(to presentation: Int64) throws(FFmpegError) {
    let target = min(max(presentation, .min / 2), .max / 2)
    try lock.withLock { _ throws(FFmpegError) in
      // Frames decoded earlier do not belong to a selection that begins here.
      if counted.frames > 0 { counted.count(pictures) }
      hasEnded = false
      pictures.resumeDecoding()
      start = target
      pending = try items(from: target)
    }
  }

  /// Finds frames by decoding from the start, because containers cannot seek by a clock that jumps.
  public func avoidSeeking() { lock.withLock { _ in isSeekable = false } }

  /// Seconds before the target at which a random access point is searched for. Containers seek by decoding time, or to
  /// any packet; groups of pictures may last for minutes.
  private static let reach = [0.0, 1, 2, 4, 8, 16, 32, 64, 128, 256]
  /// Audio may be stored up to a second away from its pictures.
  private static let interleaving = 1.0
  /// Attempts that may show damage before it is attributed to the file.
  private static let damagedTries = 2

  /// The items up to and including the first frame at or after `target`.
  private func items(from target: Int64) throws(FFmpegError) -> [StreamItem] {
    // A failed seek may have moved the demuxer, and so may checking the file's clock.
    let hasMoved = !pictures.isAtStart || pictures.isRepeatable
    let isSeekable = isSeekable ?? pictures.isSeekable
    self.isSeekable = isSeekable
    if isSeekable {
      var damaged: [Int64] = []
      for seconds in Self.reach {
        let back = seconds + (passed.isEmpty ? 0 : Self.interleaving)
        let lead = Int64(exactly: (back / stream.timeBase.value).rounded()) ?? 0
        let picture = target / ticks - (target % ticks < 0 ? 1 : 0)
        guard pictures.seek(to: picture.subtractingReportingOverflow(lead).partialValue) else { break }
        wrapper.reset()
        guard let beginning = try pictures.beginDecoding(upTo: picture), !damaged.contains(beginning.time)
        else { continue }
        deinterlacer?.reset(from: beginning.time)
        let found = try self.lead(from: beginning.time.multipliedReportingOverflow(by: ticks).partialValue, to: target)
        guard let first = found.firstTime, first <= target else { continue }
        if found.isDamaged, damaged.count < Self.damagedTries {
          damaged.append(beginning.time)
          continue
        }
        try count(found)
        return beginning.kind == .group ? try withSequenceMetadata(found.items) : found.items
      }
    }
    if hasMoved { try restart() }
    let found = try lead(from: .min, to: target)
    try count(found)
    return found.items
  }

  /// Counts the items of a lead, and damage that may affect its first frame.
  private func count(_ lead: Lead) throws(FFmpegError) {
    counted.damagedFrames += lead.damagedFrames
    if let frame = lead.items.last?.frame { try count(frame) }
  }

  /// Static metadata applies to a coded video sequence and may come only with its first picture. If decoding began in
  /// the middle of a sequence, without reaching another, the metadata of the file's first picture is used. Source:
  /// ISO/IEC 23008-2, D.3.28 and D.3.35 (persistence).
  private func withSequenceMetadata(_ items: [StreamItem]) throws(FFmpegError) -> [StreamItem] {
    guard let last = items.last, let frame = last.frame,
      frame.metadata.masteringDisplay == nil || frame.metadata.contentLight == nil
    else { return items }
    wrapper.sequence = try metadataOfFirst()
    return items.dropLast()
      + [StreamItem(passing: last.passing, frame: frame.with(frame.metadata.merged(over: wrapper.sequence)))]
  }

  private func metadataOfFirst() throws(FFmpegError) -> HDRMetadata {
    if let firstMetadata { return firstMetadata }
    let picture = try PictureStream(pictures.source).next()?.picture
    let first = picture?.metadata ?? HDRMetadata()
    let metadata = HDRMetadata(
      masteringDisplay: first.masteringDisplay, contentLight: first.contentLight, ambientViewing: first.ambientViewing)
    firstMetadata = metadata
    return metadata
  }

  /// The result of decoding up to a time.
  private struct Lead {
    /// Items to deliver: packets on the way, and the first requested frame.
    var items: [StreamItem] = []
    /// Time of the first picture.
    var firstTime: Int64?
    /// Damaged frames before the requested one, which may depend on them.
    var damagedFrames = 0
    var isDamaged = false
  }

  /// - Parameters:
  ///   - begin: Time of the random access point: earlier pictures are incomplete, which is not damage.
  ///   - target: Time of the first requested frame.
  private func lead(from begin: Int64, to target: Int64) throws(FFmpegError) -> Lead {
    var lead = Lead()
    let seconds = Double(target) * video.timeBase.value
    while var item = try decodeNext() {
      item.passing = (item.passing as? PacketBatch)?.lasting(beyond: seconds)
      guard let frame = item.frame else {
        if item.passing != nil { lead.items.append(item) }
        continue
      }
      let time = frame.time.presentation
      let isWhole = time >= begin
      if isWhole, lead.firstTime == nil { lead.firstTime = time }
      if time >= target, isWhole {
        lead.isDamaged = lead.damagedFrames > 0 || frame.isDamaged || pictures.errors > 0
        lead.items.append(item)
        return lead
      }
      if isWhole, frame.isDamaged { lead.damagedFrames += 1 }
      if item.passing != nil { lead.items.append(StreamItem(passing: item.passing)) }
    }
    return lead
  }

  /// Restarts from the beginning of the file.
  private func restart() throws(FFmpegError) {
    if !pictures.isRepeatable {
      throw .failed(.seek, path: info.url, code: 0, message: "the input is a stream and has already been read further")
    }
    pictures = try PictureStream(pictures.source)
    pictures.pass(passed)
    wrapper.reset()
    deinterlacer?.reset()
  }
}
