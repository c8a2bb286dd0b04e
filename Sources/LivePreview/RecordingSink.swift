internal import FFmpegIO
internal import Files
internal import Frames
internal import Media
internal import Sessions
internal import Synchronization

/// Records frames to a sequence of files: a new one each time recording is switched on.
final class RecordingSink: OutputSink, @unchecked Sendable {
  // @unchecked: `file` belongs to the writing thread until the run is over; everything else is immutable or locked.

  /// An event of a recording file.
  enum FileEvent: Sendable, Hashable {
    case began(name: String)
    case ended(name: String, frames: Int)
    /// It could not be finished, and is kept: its name, and the number of readable frames.
    case kept(name: String, frames: Int)
    /// A frame was skipped because a later one is already written.
    case passedOver
  }

  /// An open file.
  private struct File {
    let writer: MediaWriter
    /// Recording number, from 1.
    let number: Int
    /// Number of frames in earlier files.
    let before: Int
    /// Time of its first frame.
    var zero: FrameTime?
    var frames = 0
  }

  private struct State {
    var isOn: Bool
    /// Number of recordings requested.
    var asked: Int
    /// Start times of recordings that have not been written to, with their numbers.
    var begins: [(number: Int, time: Double)] = []
    /// Number of the last recording that got a frame.
    var begun = 0
    /// Recording was switched off, and the file has to be finished after the pending frames.
    var owesEnd = false
    var frameCount = 0
    var finishedBytes = 0
    var writer: MediaWriter?
  }

  private let video: VideoPlan
  /// Frames come from a device, with increasing times; a rendered frame may come later than a frame copied on arrival.
  private let isLive: Bool
  private let frames: FramePool
  private let onFile: @Sendable (FileEvent) -> Void
  private let state: Mutex<State>
  /// Marks the end of a file among the frames.
  private let end: CodedFrame
  private var file: File?
  /// Time of the last frame.
  private var last = -Double.infinity
  private var losses = OutputLosses()

  /// Opens the first file if recording starts at once.
  /// - Parameters:
  ///   - video: The first file; later ones have a number in their names.
  ///   - isOn: Recording starts with the first frame.
  ///   - isLive: Frames come from a device.
  /// - Throws: `FFmpegError` if the file cannot be created.
  init(_ video: VideoPlan, isOn: Bool, isLive: Bool, onFile: @escaping @Sendable (FileEvent) -> Void) throws {
    (self.video, self.isLive, self.onFile) = (video, isLive, onFile)
    frames = FramePool(video.pixelFormat)
    end = CodedFrame(size: Size(width: 2, height: 2), layout: video.layout, color: video.color)
    state = Mutex(State(isOn: isOn, asked: isOn ? 1 : 0))
    if isOn { file = try open(1, isNamed: true) }
  }

  /// Recording is on. From any thread.
  var isOn: Bool { state.withLock { $0.isOn } }

  /// Recording can be switched on: standard output cannot be restarted. From any thread.
  var canBegin: Bool { video.url != "-" || state.withLock { $0.asked == 0 } }

  /// Number of frames written in all recordings. From any thread.
  var frameCount: Int { state.withLock { $0.frameCount } }

  /// Starts another file with the next frame, or ends the current one. From any thread.
  /// - Returns: false if that is impossible: standard output cannot be restarted.
  func toggle() -> Bool {
    state.withLock { state in
      if !state.isOn, video.url == "-", state.asked > 0 { return false }
      state.isOn.toggle()
      (state.asked, state.owesEnd) = (state.asked + (state.isOn ? 1 : 0), !state.isOn)
      return true
    }
  }

  /// Returns an empty frame to render into; nil while recording is off.
  func makeFrame(like frame: CodedFrame) -> CodedFrame? {
    let isOn = state.withLock { state in
      if state.isOn, state.begun != state.asked {
        state.begun = state.asked
        state.begins.append((state.asked, frame.time.seconds))
      }
      return state.isOn
    }
    return isOn ? frames.frame(time: frame.time, fieldOrder: frame.fieldOrder) : nil
  }

  /// Returns the end marker once after recording is switched off.
  func takeEnd() -> CodedFrame? {
    state.withLock { state in
      defer { state.owesEnd = false }
      return state.owesEnd ? end : nil
    }
  }

  func write(_ frame: CodedFrame) throws {
    if frame === end {
      // Playback may go back to an earlier frame of a file.
      if !isLive { last = -.infinity }
      return try finishFile()
    }
    // A rendered frame may follow the copy of a later one. Playback may go back to an earlier frame of a file.
    guard frame.time.seconds > last else {
      if isLive { onFile(.passedOver) }
      return
    }
    last = frame.time.seconds
    let number = number(at: last)
    if let number, let file, file.number != number { try finishFile() }
    var file = try self.file ?? open(number ?? 1, isNamed: false)
    let zero = file.zero ?? frame.time
    if file.zero == nil { onFile(.began(name: file.writer.settings.url)) }
    (file.zero, file.frames) = (zero, file.frames + 1)
    self.file = file
    try keeping(file) { try file.writer.write(frame.at(frame.time.counted(from: zero))) }
    state.withLock { $0.frameCount += 1 }
  }

  /// Returns the number of an unwritten recording that starts at or before a time; nil: none.
  private func number(at time: Double) -> Int? {
    state.withLock { state in
      let due = state.begins.last { $0.time <= time }?.number
      state.begins.removeAll { $0.time <= time }
      return due
    }
  }

  func pass(_ data: any PassingData) {}

  /// - Parameter isNamed: Uses the requested name; otherwise a free one, so that no file is replaced unasked.
  private func open(_ number: Int, isNamed: Bool) throws -> File {
    var settings = video.settings()
    settings.isLive = isLive
    if !isNamed, video.url != "-" {
      settings.url = Self.freeName(video.url, from: number)
      settings.replacesFile = false
    }
    let writer = try MediaWriter(settings)
    let before = state.withLock { state in
      state.writer = writer
      return state.frameCount
    }
    return File(writer: writer, number: number, before: before)
  }

  private static func freeName(_ first: String, from number: Int) -> String {
    for candidate in number..<number + 10_000 {
      let name = name(first, number: candidate)
      if FileStatus(name, followsLinks: false) == nil { return name }
    }
    return name(first, number: number)
  }

  /// "take.mkv", "take-2.mkv", "take-3.mkv".
  static func name(_ first: String, number: Int) -> String {
    guard number > 1 else { return first }
    let folderEnd = first.lastIndex(of: "/").map { first.index(after: $0) } ?? first.startIndex
    guard let dot = first[folderEnd...].lastIndex(of: "."), dot > folderEnd else { return "\(first)-\(number)" }
    return "\(first[..<dot])-\(number)\(first[dot...])"
  }

  private func finishFile() throws {
    guard let file else { return }
    self.file = nil
    defer { state.withLock { $0.writer = nil } }
    guard file.frames > 0 else { return file.writer.cancel() }
    let own = try keeping(file) { try file.writer.finish() }
    losses.sentences += own.sentences
    losses.failure = losses.failure ?? own.failure
    state.withLock { $0.finishedBytes += file.writer.bytesWritten }
    onFile(.ended(name: file.writer.settings.url, frames: file.frames))
  }

  /// Keeps a file that cannot be finished.
  private func keeping<Result>(_ file: File, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch {
      let name = file.writer.keepPartial()
      file.writer.cancel()
      // The encoder and buffers held more than the file could take.
      let frames = name.flatMap { try? PictureIndex.read(url: $0)?.pictures.count } ?? 0
      state.withLock { $0.frameCount = file.before + frames }
      if let name { onFile(.kept(name: name, frames: frames)) }
      throw error
    }
  }

  var bytesWritten: Int {
    let (finished, writer) = state.withLock { ($0.finishedBytes, $0.writer) }
    return finished + (writer?.bytesWritten ?? 0)
  }

  func finish() throws -> OutputLosses {
    try finishFile()
    return losses
  }

  func cancel() { state.withLock { $0.writer }?.cancel() }

  /// Keeps the file even if the process exits at once, because it cannot be recorded again.
  func discard() { _ = state.withLock { $0.writer }?.keepPartial() }
}
