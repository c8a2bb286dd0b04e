internal import FFmpegIO
internal import Files
internal import Frames
internal import ImageFiles
internal import Media

extension InputRequest {
  /// It is a V4L2 device.
  var isDevice: Bool { format == nil && DeviceMedia.isDevice(name) }

  /// Opens the input: devices by V4L2, files with FFmpeg, or, for stills that FFmpeg reads incompletely or not at all, with the format's own
  /// library.
  /// - Parameters:
  ///   - videoIndex: Index of the stream to decode; nil: the best one.
  ///   - threads: Threads of the decoder; 0: one per core.
  ///   - leavesDevice: A device stays as it is, and nothing is read of it: for a plan that is not run.
  ///   - opened: Called with the file's description as soon as FFmpeg has opened it, even if it has no video.
  /// - Throws: `Refusal`, or the error of the reader.
  func open(
    videoIndex: Int? = nil, threads: Int = 0, leavesDevice: Bool = false, opened: (MediaInfo) -> Void = { _ in }
  ) throws -> any MediaInput {
    if format == nil, let sequence = try ImageSequence(pattern: name, startNumber: startNumber) {
      return try SequenceReader(sequence, settings: pictures, threads: threads, limits: limits)
    }
    if startNumber != nil { throw Refusal.invalid(.input(.isNoSequence(name: name))) }
    if isDevice {
      if frameRate != nil { throw Refusal.invalid(.input(.hasTimes(name: name))) }
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
      throw Refusal.invalid(.input(.hasTimes(name: name)))
    }
    return try SequenceReader(file, settings: pictures, threads: threads, limits: limits)
  }

  /// It can be opened a second time, which is true of files but not of pipes and terminals.
  var isRepeatable: Bool { !isDevice && MediaReader.isRepeatable(url: name) }
}

extension MediaInput {
  /// Peeks at the first frame at or after the start of a selection.
  /// - Throws: `Refusal` if there is none, or the error of the reader.
  func firstFrame(of selection: FrameSelection) throws -> CodedFrame {
    if let time = selection.at { return try firstFrame(before: time) }
    if let start = selection.start { try seek(toSeconds: start) }
    guard let first = try peekFrame() else {
      if let ending { throw ending.reason }
      throw Refusal.failed(.input(.hasNoFrameAfter(name: info.url, start: selection.start ?? 0)))
    }
    return first
  }

  /// A frame at or before a time, if there is one; the frame shown at that time is this or a later one.
  private func firstFrame(before time: Double) throws -> CodedFrame {
    let origin = info.startTime ?? 0
    for back in [2.0, 20] where time > back {
      try seek(toSeconds: time - back)
      if let first = try peekFrame(), first.time.seconds <= time + origin { return first }
    }
    if time > 2 { try seek(toSeconds: 0) }
    guard let first = try peekFrame() else {
      if let ending { throw ending.reason }
      throw Refusal.failed(.input(.nothingSelected(name: info.url)))
    }
    return first
  }

  /// Looks at pictures all over a selection.
  func survey(of selection: FrameSelection) -> StreamSurvey {
    if selection.at != nil { return StreamSurvey() }
    let start = selection.start ?? 0
    return survey(from: start, to: selection.length(rate: video.frameRate?.value).map { start + $0 })
  }

  /// Unused parts of the file's colour description, known once the first frame has been read.
  var colorWarnings: [Diagnostic] {
    statistics.unrecognizedProfile.map { [.input(.unknownProfile(name: info.url, profile: $0))] } ?? []
  }

  var readerNotes: [Diagnostic] { notes.map { .input(.reader($0)) } }

  /// What is missing or could not be decoded so far.
  var damage: [Diagnostic] {
    let statistics = statistics
    var found: [InputDiagnostic] = []
    if statistics.endsEarly { found.append(.isTruncated(name: info.url)) }
    if statistics.decodeErrors > 0 || statistics.damagedFrames > 0 {
      found.append(
        .isDamaged(name: info.url, packets: statistics.decodeErrors, frames: statistics.damagedFrames))
    }
    if statistics.clockJumps > 0 { found.append(.clockJumps(name: info.url, count: statistics.clockJumps)) }
    if statistics.lostFrames > 0 { found.append(.hasLostFrames(name: info.url, statistics.lostFrames)) }
    if statistics.ignoredToneMaps > 0 {
      found.append(.ignoredToneMaps(statistics.ignoredToneMaps, reason: statistics.ignoredReason?.description))
    }
    return found.map(Diagnostic.input)
  }

  /// Call this once the output is complete.
  /// - Throws: The error that ended the input before the end of the selection.
  func checkEnding(of selection: FrameSelection) throws {
    if let ending, !selection.ends(before: ending) { throw ending.reason }
  }
}

extension OutputLosses {
  var diagnostics: [Diagnostic] { sentences.map { .output(.writer($0)) } }
}

extension PictureReading {
  /// - Throws: `Refusal` if the input has to be read twice and cannot be.
  func checkRepeatable() throws(Refusal) {
    let needs: [(Parameter, Bool)] = [
      (.contentLight, metadata.measuresOutput), (.peakDetection, metadata.measuresInput), (.crop, crop == .automatic),
    ]
    guard let (parameter, _) = needs.first(where: \.1), !input.isRepeatable else { return }
    throw .invalid(.input(.cannotBeReadTwice(name: input.name, for: parameter)))
  }
}
