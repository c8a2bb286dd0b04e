internal import FFmpegIO
internal import Files
package import Frames
internal import ImageFiles
package import Media

extension InputRequest {
  /// The input is a V4L2 device.
  package var isDevice: Bool { format == nil && DeviceMedia.isDevice(name) }

  /// Opens the input: devices with V4L2, files with FFmpeg, and stills that FFmpeg reads incompletely or not at all
  /// with the format's own library.
  /// - Parameters:
  ///   - videoIndex: Index of the stream to decode; nil: the best one.
  ///   - threads: Threads of the decoder; 0: one per core.
  ///   - leavesDevice: Leaves a device unchanged and does not read it: for a plan that is not run.
  ///   - opened: Called with the file's description as soon as FFmpeg has opened it, even if it has no video.
  /// - Throws: `Refusal`, or the error of the reader.
  package func open(
    videoIndex: Int? = nil, threads: Int = 0, leavesDevice: Bool = false, opened: (MediaInfo) -> Void = { _ in }
  ) throws -> any MediaInput {
    if format == nil, let sequence = try ImageSequence(pattern: name, startNumber: startNumber) {
      return try SequenceReader(sequence, settings: pictures, threads: threads, limits: limits)
    }
    if startNumber != nil {
      throw Refusal.invalid(
        "not-a-picture-sequence",
        "\(.inputStartNumber) is for a sequence of pictures, which '\(name)' is not: omit it, or name the files as in "
          + "'frame-%06d.png'.")
    }
    if isDevice {
      if frameRate != nil { throw Refusal.invalid(.inputHasTimestamps(name)) }
      let device = try DeviceMedia(name, capture, isLeft: leavesDevice)
      opened(device.info)
      return device
    }
    let reader: any MediaInput
    if format == nil, let still = try StillReader(path: name, settings: pictures) {
      reader = still
    } else {
      let media = try MediaReader(
        url: name, format: format, videoIndex: videoIndex, threads: threads, limits: limits,
        bytes: format == nil ? UltraHDRReader.firstPicture(of: name) : nil, opened: opened)
      media.composite(pictures.compositing)
      reader = media
    }
    guard frameRate != nil else { return reader }
    guard reader.isStill, let file = ImageSequence(file: name) else {
      throw Refusal.invalid(.inputHasTimestamps(name))
    }
    return try SequenceReader(file, settings: pictures, threads: threads, limits: limits)
  }

  /// The input can be opened again: files can, pipes and terminals cannot.
  package var isRepeatable: Bool { !isDevice && MediaReader.isRepeatable(url: name) }
}

extension MediaInput {
  /// Peeks at the first frame at or after the start of a selection.
  /// - Throws: `Refusal` if there is none, or the error of the reader.
  package func firstFrame(of selection: FrameSelection) throws -> CodedFrame {
    if let time = selection.at { return try firstFrame(before: time) }
    if let start = selection.start { try seek(toSeconds: start) }
    guard let first = try peekFrame() else {
      if let ending { throw ending.reason }
      throw Refusal.failed(
        "no-frame-after-start", "'\(info.url)' has no frame at or after \(.start, selection.start ?? 0).")
    }
    return first
  }

  /// Returns a frame at or before a time, if there is one; the frame shown at that time is this or a later one.
  private func firstFrame(before time: Double) throws -> CodedFrame {
    let origin = info.startTime ?? 0
    for back in [2.0, 20] where time > back {
      try seek(toSeconds: time - back)
      if let first = try peekFrame(), first.time.seconds <= time + origin { return first }
    }
    if time > 2 { try seek(toSeconds: 0) }
    guard let first = try peekFrame() else {
      if let ending { throw ending.reason }
      throw Refusal.failed(.noFramesSelected(info.url))
    }
    return first
  }

  /// Surveys pictures across a selection.
  package func survey(of selection: FrameSelection) -> StreamSurvey {
    if selection.at != nil { return StreamSurvey() }
    let start = selection.start ?? 0
    return survey(from: start, to: selection.length(rate: video.frameRate?.value).map { start + $0 })
  }

  /// Unused parts of the file's colour description, known once the first frame has been read.
  package var colorWarnings: [Message] {
    guard let profile = statistics.unrecognizedProfile else { return [] }
    let name = profile.isEmpty ? "" : " '\(profile)'"
    let message = Message(
      "unknown-icc-profile",
      "The ICC profile\(name) of '\(info.url)' is not recognized and is ignored: set \(.inputPrimaries) and "
        + "\(.inputTransfer) instead.")
    return [message]
  }

  package var readerNotes: [Message] { notes.map { .inputNote($0) } }

  /// Missing or undecodable data so far.
  package var damage: [Message] {
    let statistics = statistics
    let name = info.url
    var found: [Message] = []
    if statistics.endsEarly {
      found.append(
        Message("input-truncated", "'\(name)' is truncated: what could be read was kept (\(.keepPartial))."))
    }
    if statistics.decodeErrors > 0 || statistics.damagedFrames > 0 {
      found.append(.inputDamaged(name, packets: statistics.decodeErrors, frames: statistics.damagedFrames))
    }
    if statistics.clockJumps > 0 { found.append(.clockJumps(name, count: statistics.clockJumps)) }
    if statistics.lostFrames > 0 { found.append(.framesLost(name, count: statistics.lostFrames)) }
    if statistics.ignoredToneMaps > 0 {
      let packets = statistics.ignoredToneMaps.counting("packet")
      let reason = statistics.ignoredReason.map { ": \($0)" } ?? ""
      found.append(Message("tone-maps-ignored", "Ignored: ST 2094-50 metadata in \(packets)\(reason)."))
    }
    return found
  }

  /// Call this once the output is complete.
  /// - Throws: The error that ended the input before the end of the selection.
  func checkEnding(of selection: FrameSelection) throws {
    if let ending, !selection.ends(before: ending) { throw ending.reason }
  }
}

extension Message {
  fileprivate static func inputDamaged(_ name: String, packets: Int, frames: Int) -> Message {
    func part(_ count: Int, _ noun: String, _ state: String) -> String? {
      count == 0 ? nil : count.counting(noun) + (count == 1 ? " is " : " are ") + state
    }
    let parts = [part(packets, "packet", "damaged or missing"), part(frames, "frame", "damaged")].compactMap(\.self)
    return Message(
      "input-damaged",
      "'\(name)' is damaged: \(parts.joined(separator: ", ")). Frames that refer to them may be wrong too.")
  }

  fileprivate static func framesLost(_ name: String, count: Int) -> Message {
    let lost = count == 1 ? "1 frame of '\(name)' was" : "\(count) frames of '\(name)' were"
    return Message(
      "frames-lost", "\(lost) lost: they came faster than they could be processed, or never arrived.")
  }
}

extension OutputLosses {
  package var messages: [Message] { sentences.map { Message("output-loss", "\($0)") } }
}

extension PictureReading {
  /// - Throws: `Refusal` if the input has to be read twice and cannot be.
  func checkRepeatable() throws(Refusal) {
    let needs: [(Parameter, Bool)] = [
      (.contentLight, metadata.measuresOutput), (.peakDetection, metadata.measuresInput),
      (.crop, geometry.crop == .automatic),
    ]
    guard let (parameter, _) = needs.first(where: \.1), !input.isRepeatable else { return }
    throw .invalid(.inputNotRepeatable(input.name, for: parameter))
  }
}
