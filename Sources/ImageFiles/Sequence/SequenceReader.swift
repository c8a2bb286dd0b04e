internal import ColorScience
public import FFmpegIO
internal import Files
public import Frames
internal import Glibc
public import Media
internal import Synchronization

/// Numbered picture files as one input: each is read like a single file, and must have the tags, size and layout of the
/// first. If one is missing or differs, the frames end, and `ending` states why.
public final class SequenceReader: PictureInput {
  /// The description of the first file, with the total duration.
  public let info: MediaInfo
  public let video: VideoStreamInfo
  private let sequence: ImageSequence
  private let settings: StillSettings
  private let threads: Int
  private let rate: Rational
  private let limits: ReadLimits
  private let firstNotes: [String]
  private let state: Mutex<State>
  /// The file being read; with a separate lock, because reading may take seconds.
  private let current = Mutex<(any MediaInput)?>(nil)
  private let wasInterrupted = Atomic(false)

  private struct State {
    /// The first frame, for comparison with later ones.
    var first: CodedFrame?
    /// Index of the next frame.
    var index = 0
    var peeked: CodedFrame?
    var preparation = PicturePreparation()
    var statistics = ReadStatistics()
    var ending: EarlyEnding?
  }

  /// FFmpeg's frame rate of pictures.
  private static let defaultRate = Rational(25, 1)

  /// Reads the first file.
  /// - Parameters:
  ///   - sequence: The files.
  ///   - settings: How each file is read, and the frame rate.
  ///   - threads: Threads of a decoder; 0: one per core.
  ///   - limits: Resource limits; errors are counted over all files.
  /// - Throws: `ImageFileError` or `FFmpegError` if the first file cannot be read, or is not a picture.
  public init(
    _ sequence: ImageSequence, settings: StillSettings = StillSettings(), threads: Int = 0,
    limits: ReadLimits = ReadLimits()
  ) throws {
    (self.sequence, self.settings, self.threads, self.limits) = (sequence, settings, threads, limits)
    rate = settings.frameRate ?? Self.defaultRate
    let input = try Self.open(sequence.file(0), settings, threads, limits)
    guard let frame = try input.readFrame()
    else { throw ImageFileError.unreadable(path: sequence.file(0), reason: "there is no picture in it") }
    (info, video) = Self.describe(input, frame, sequence, rate)
    firstNotes = input.notes
    var state = State(first: frame)
    state.statistics = input.statistics
    state.statistics.frames = 0
    self.state = Mutex(state)
  }

  private static func open(
    _ file: String, _ settings: StillSettings, _ threads: Int, _ limits: ReadLimits
  ) throws -> any MediaInput {
    // Reading a pipe would block everything after it.
    guard FileStatus(file)?.kind == .regular
    else { throw ImageFileError.unreadable(path: file, reason: "it is not a file") }
    if let still = try StillReader(path: file, settings: settings) { return still }
    let reader = try MediaReader(
      url: file, threads: threads, limits: limits, bytes: UltraHDRReader.firstPicture(of: file))
    reader.composite(settings.compositing)
    guard reader.isStill else {
      throw ImageFileError.unsupported(
        path: file, reason: "it holds more than one picture, so it cannot be part of a sequence")
    }
    return reader
  }

  /// The description of the first file, extended to all files.
  private static func describe(
    _ input: any MediaInput, _ frame: CodedFrame, _ sequence: ImageSequence, _ rate: Rational
  ) -> (MediaInfo, VideoStreamInfo) {
    var (info, video) = (input.info, input.video)
    let timeBase = Rational(rate.denominator, rate.numerator)
    (video.averageFrameRate, video.realFrameRate, video.timeBase) = (rate, rate, timeBase)
    info.streams = info.streams.filter { $0.index == video.index }.map { stream in
      var stream = stream
      stream.index = 0
      stream.timeBase = timeBase
      (stream.startTime, stream.duration, stream.frameCount) = (0, Int64(sequence.count), sequence.count)
      stream.video = video
      return stream
    }
    video.index = 0
    info.streams.indices.forEach { info.streams[$0].video = video }
    if sequence.names.hasNumber {
      info.url = sequence.names.pattern
      (info.formatName, info.formatLongName) = ("image2", "image sequence, \(info.formatLongName)")
      info.byteCount = nil
    }
    (info.startTime, info.duration) = (0, Double(sequence.count) * timeBase.value)
    return (info, video)
  }

  public var notes: [String] {
    guard sequence.names.hasNumber else { return firstNotes }
    let last = sequence.first + sequence.count - 1
    let name = sequence.names.lastComponent
    let speed = rate.denominator == 1 ? "\(rate.numerator)" : "\(rate)"
    let files = "'\(name.name(sequence.first))' to '\(name.name(last))'"
    let gap =
      sequence.next.map { "; '\(name.name(last + 1))' is missing, and it continues with '\(name.name($0))'" } ?? ""
    return firstNotes + ["A sequence of \(sequence.count) pictures, \(files), at \(speed) frames per second\(gap)."]
  }

  public var isStill: Bool { sequence.count == 1 }
  /// Statistics of reading so far, over all files.
  public var statistics: ReadStatistics { state.withLock { $0.statistics } }
  public var ending: EarlyEnding? { state.withLock { $0.ending } }

  /// Crops and scales the pictures, which are progressive; call this before reading the first.
  /// - Throws: `FFmpegError` for an invalid size.
  public func prepare(_ preparation: PicturePreparation) throws {
    try state.withLock { state in
      state.preparation = preparation
      if let first = state.first { _ = try preparation.prepared(first, path: info.url) }
    }
  }

  public func readFrame() throws(FFmpegError) -> CodedFrame? {
    state.withLock { state in
      defer { state.peeked = nil }
      guard let frame = state.peeked ?? next(&state) else { return nil }
      state.index += 1
      state.statistics.frames += 1
      return frame
    }
  }

  public func peekFrame() throws(FFmpegError) -> CodedFrame? {
    state.withLock { state in
      state.peeked = state.peeked ?? next(&state)
      return state.peeked
    }
  }

  /// The frame at `index`; nil at any kind of end.
  private func next(_ state: inout State) -> CodedFrame? {
    if wasInterrupted.load(ordering: .acquiring) { return nil }
    guard state.index < sequence.count, state.ending == nil else {
      if state.index == sequence.count, state.ending == nil, let next = sequence.next {
        let name = sequence.names.lastComponent
        let missing = ImageFileError.unreadable(
          path: sequence.file(sequence.count),
          reason: "it is missing, and the sequence continues with '\(name.name(next))'")
        state.ending = EarlyEnding(missing, index: state.index, framesPerSecond: rate.value)
      }
      return nil
    }
    do {
      return try frame(&state)
    } catch {
      state.ending = EarlyEnding(error, index: state.index, framesPerSecond: rate.value)
      return nil
    }
  }

  /// nil if interrupted.
  private func frame(_ state: inout State) throws -> CodedFrame? {
    var frame: CodedFrame
    if state.index == 0, let first = state.first {
      frame = first
    } else {
      let file = sequence.file(state.index)
      let input = try Self.open(file, settings, threads, limits)
      current.withLock { $0 = input }
      defer { current.withLock { $0 = nil } }
      guard !wasInterrupted.load(ordering: .acquiring), let picture = try input.readFrame() else {
        if wasInterrupted.load(ordering: .acquiring) { return nil }
        throw ImageFileError.unreadable(path: file, reason: "there is no picture in it")
      }
      if let first = state.first, let difference = SequenceDifference(picture, input.video, first, video) {
        throw ImageFileError.unsupported(path: file, reason: difference.words)
      }
      state.statistics.damagedFrames += input.statistics.damagedFrames
      state.statistics.decodeErrors += input.statistics.decodeErrors
      let errors = state.statistics.damagedFrames + state.statistics.decodeErrors
      if let limit = limits.maxErrors, errors > limit {
        throw FFmpegError.tooMuchDamage(path: info.url, errors: errors, limit: limit)
      }
      frame = picture
    }
    let time = FrameTime(
      presentation: Int64(state.index), duration: 1, timeBase: Rational(rate.denominator, rate.numerator))
    frame = try state.preparation.prepared(frame, path: info.url)
    return frame.at(time)
  }

  /// Tolerance of frame times, which are exact except for rounding.
  private static let tolerance = 1e-6

  /// Continues with the first frame at or after a time.
  public func seek(toSeconds seconds: Double) throws(FFmpegError) {
    let place = (seconds * rate.value - Self.tolerance).rounded(.up)
    let index = place > 0 ? Int(min(place, Double(sequence.count))) : 0
    state.withLock { state in
      state.index = index
      state.peeked = nil
    }
  }

  /// Abandons the file being read and ends, without an error.
  public func interrupt() {
    wasInterrupted.store(true, ordering: .releasing)
    current.withLock { $0 }?.interrupt()
  }

  /// Ends, without an error.
  public func stopDecoding(limit: Double) {
    state.withLock { state in
      state.index = sequence.count + 1
      state.peeked = nil
    }
  }
}

/// Consecutively numbered picture files, one per frame.
public struct ImageSequence: Sendable, Hashable {
  let names: FileNames
  /// Number of the first file.
  let first: Int
  /// Number of consecutive files.
  let count: Int
  /// The next existing number after a gap; nil: no gap.
  let next: Int?

  /// File name suffixes of pictures, including those that FFmpeg reads.
  private static let suffixes: Set = [
    "avif", "bmp", "cin", "dds", "dpx", "exr", "gif", "hdr", "heic", "heif", "j2k", "jp2", "jpeg", "jpg", "jxl", "pam",
    "pbm", "pcx", "pfm", "pgm", "phm", "png", "pnm", "ppm", "psd", "qoi", "sgi", "tga", "tif", "tiff", "webp", "xwd",
  ]

  /// Finds the files of a pattern.
  /// - Parameters:
  ///   - pattern: A pattern for `FileNames`.
  ///   - startNumber: Number of the first file; nil: the lowest that exists.
  /// - Returns: nil if the name has no number, is not a picture's, or is the name of an existing file.
  /// - Throws: `ImageFileError.unreadable` if no file matches, or none has this number.
  public init?(pattern: String, startNumber: Int? = nil) throws(ImageFileError) {
    let path = pattern.hasPrefix("file:") ? String(pattern.dropFirst(5)) : pattern
    guard path.contains("%"), !path.contains("://"), FileStatus(path) == nil,
      Self.suffixes.contains(ImageFormat.suffix(of: path).lowercased()), let names = try? FileNames(path),
      names.hasNumber, !names.numbersFolders
    else { return nil }
    let folder = FileLocation(names.name(0)).folder
    guard let there = FileLocation.names(in: folder)
    else { throw .unreadable(path: folder, reason: unsafe String(cString: strerror(errno))) }
    let last = names.lastComponent
    let numbers = Set(there.compactMap { last.number(of: $0) })
    guard let first = startNumber ?? numbers.min()
    else { throw .unreadable(path: pattern, reason: "there is no file with such a name and a number in it") }
    guard numbers.contains(first)
    else { throw .unreadable(path: pattern, reason: "there is no '\(last.name(first))' to start with") }
    let end = (first...).first { !numbers.contains($0) } ?? first
    (self.names, self.first) = (names, first)
    count = end - first
    next = numbers.filter { $0 > end }.min()
  }

  /// A single file; nil if it does not exist.
  public init?(file: String) {
    guard FileStatus(file) != nil else { return nil }
    names = FileNames(file: file)
    (first, count, next) = (0, 1, nil)
  }

  /// Whether an output would overwrite a file of the pattern, including files before the first or after a gap.
  public func overlaps(_ outputs: FileNames) -> Bool {
    func folder(_ name: String) -> String { FileLocation.resolved(FileLocation(name).folder) }
    let place = folder(file(0))
    guard place == folder(outputs.name(0)) else { return false }
    let (own, others) = (names.lastComponent, outputs.lastComponent)
    return (FileLocation.names(in: place) ?? []).contains { name in
      own.number(of: name) != nil
        && (others.hasNumber ? others.number(of: name) != nil : others.name(0).isSameName(as: name))
    }
  }

  func file(_ index: Int) -> String { names.name(first + index) }
}

/// The difference between a picture of a sequence and the first one.
struct SequenceDifference {
  /// Description for messages, without a full stop.
  let words: String

  /// - Returns: nil without a relevant difference.
  init?(_ frame: CodedFrame, _ video: VideoStreamInfo, _ first: CodedFrame, _ firstVideo: VideoStreamInfo) {
    func text(_ own: String, _ others: String) -> String { "it is \(own), but the first of the sequence is \(others)" }
    if frame.size != first.size {
      words = text("\(frame.size)", "\(first.size)")
    } else if frame.color != first.color {
      words = text("tagged as \(Self.words(frame.color))", Self.words(first.color))
    } else if frame.layout != first.layout {
      words = text(Self.words(frame.layout), Self.words(first.layout))
    } else if frame.metadata.linearUnit != first.metadata.linearUnit {
      words = text("light whose 1.0 is \(Self.unit(frame))", Self.unit(first))
    } else if video.displayMatrix != firstVideo.displayMatrix {
      words = text("to be rotated by \(video.rotation)°", "by \(firstVideo.rotation)°")
    } else {
      return nil
    }
  }

  private static func words(_ color: ColorDescription) -> String {
    "\(color.primaries) \(color.transfer) \(color.matrix) \(color.range == .full ? "full" : "limited") range"
  }

  private static func words(_ layout: PixelLayout) -> String {
    layout.samples == .half ? "light in half floats" : "\(layout.bitDepth)-bit \(layout.components)"
  }

  private static func unit(_ frame: CodedFrame) -> String {
    frame.metadata.linearUnit.map { "\($0) cd/m²" } ?? "not stated"
  }
}
