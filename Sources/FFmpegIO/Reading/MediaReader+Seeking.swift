internal import Frames
internal import Media
internal import Synchronization

extension MediaReader {
  /// Goes on with the first frame at or after a time.
  ///
  /// Decoding begins at a random access point before it, from which every frame on is that of a whole decode.
  /// - Parameter seconds: From the start of the file, as `-ss` of ffmpeg; rounded to the stream's time base.
  /// - Throws: `FFmpegError` when the input cannot go back.
  public func seek(toSeconds seconds: Double) throws(FFmpegError) {
    try lock.withLock { _ throws(FFmpegError) in
      let ticks = ((seconds + (info.startTime ?? 0)) / video.timeBase.value).rounded()
      let target = ticks.isNaN ? 0 : Int64(exactly: ticks) ?? (ticks < 0 ? .min / 2 : .max / 2)
      // What was decoded before is part of no selection that begins here.
      if counted.frames > 0 { counted.count(pictures) }
      hasEnded = false
      start = target
      pending = try items(from: target)
    }
  }

  /// Seconds before the wanted time at which a random access point is looked for. Containers seek by decoding time, or
  /// to any packet; groups of pictures may last for minutes.
  private static let reach = [0.0, 1, 2, 4, 8, 16, 32, 64, 128, 256]
  /// Sound lies up to a second from its pictures.
  private static let interleaving = 1.0
  /// Ways from a random access point to the wanted time that show damage, before one is taken for damage of the file.
  private static let damagedTries = 2

  /// What comes up to the first frame at or after `target`, and that frame.
  private func items(from target: Int64) throws(FFmpegError) -> [StreamItem] {
    // A seek that failed may have moved the demuxer already, and so has the look at the file's clock.
    let hasMoved = !pictures.isAtStart || pictures.isRepeatable
    let isSeekable = isSeekable ?? pictures.isSeekable
    self.isSeekable = isSeekable
    if isSeekable {
      var damaged: [Int64] = []
      for seconds in Self.reach {
        let back = seconds + (passed.isEmpty ? 0 : Self.interleaving)
        let ticks = Int64(exactly: (back / video.timeBase.value).rounded()) ?? 0
        guard pictures.seek(to: target.subtractingReportingOverflow(ticks).partialValue) else { break }
        wrapper.reset()
        guard let beginning = try pictures.beginDecoding(upTo: target), !damaged.contains(beginning.time) else {
          continue
        }
        let found = try lead(from: beginning.time, to: target)
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

  /// Counts what is handed on of a lead, and the damage that its first frame may refer to.
  private func count(_ lead: Lead) throws(FFmpegError) {
    counted.damagedFrames += lead.damagedFrames
    if let frame = lead.items.last?.frame { try count(frame) }
  }

  /// Static metadata holds for a coded video sequence and may come with its first picture only. Where decoding began in
  /// the middle of one, and came to none, that of the file's first picture is taken.
  /// Source: ISO/IEC 23008-2, D.3.28 and D.3.35 (persistence).
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
    let first = picture.map { unsafe HDRMetadata(frame: $0.frame) } ?? HDRMetadata()
    let metadata = HDRMetadata(
      masteringDisplay: first.masteringDisplay, contentLight: first.contentLight, ambientViewing: first.ambientViewing)
    firstMetadata = metadata
    return metadata
  }

  /// What was decoded to come to a time.
  private struct Lead {
    /// What is handed on: the packets on the way, and the first wanted frame.
    var items: [StreamItem] = []
    /// Time of the first picture.
    var firstTime: Int64?
    /// Damaged frames before the wanted one, which may refer to them.
    var damagedFrames = 0
    var isDamaged = false
  }

  /// - Parameters:
  ///   - begin: Time of the random access point: earlier pictures are not whole, and no damage.
  ///   - target: Time of the first wanted frame.
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

  /// Back to the very start.
  private func restart() throws(FFmpegError) {
    if !pictures.isRepeatable {
      throw .failed(.seek, path: info.url, code: 0, message: "the input is a stream that has been read on already")
    }
    pictures = try PictureStream(pictures.source)
    pictures.pass(passed)
    wrapper.reset()
  }
}
