internal import FFmpegIO
internal import Frames
internal import Media
internal import Synchronization

/// Records frames to one file after the other: a new one each time that recording is switched on.
final class RecordingSink: OutputSink, @unchecked Sendable {
  // @unchecked: `file` belongs to the writing thread until the run is over; everything else is immutable or locked.

  /// What happens to files.
  enum FileEvent: Sendable, Hashable {
    case began(name: String)
    case ended(name: String, frames: Int)
  }

  /// A file that is being written.
  private struct File {
    let writer: MediaWriter
    /// Time of its first frame.
    var zero: FrameTime?
    var frames = 0
  }

  private struct State {
    var isOn: Bool
    /// Recording was switched off, and the file is to be finished after the frames before.
    var owesEnd = false
    /// Files that were begun.
    var count = 0
    var finishedBytes = 0
    var writer: MediaWriter?
  }

  private let video: VideoPlan
  private let frames: FramePool
  private let onFile: @Sendable (FileEvent) -> Void
  private let state: Mutex<State>
  /// Stands for the end of a file among the frames.
  private let end: CodedFrame
  private var file: File?
  private var losses = OutputLosses()

  /// Opens the first file if recording begins at once.
  /// - Parameters:
  ///   - video: The first file; those that follow have a number in their names.
  ///   - isOn: Recording begins with the first frame.
  /// - Throws: `FFmpegError` if the file cannot be made.
  init(_ video: VideoPlan, isOn: Bool, onFile: @escaping @Sendable (FileEvent) -> Void) throws {
    (self.video, self.onFile) = (video, onFile)
    frames = FramePool(video.pixelFormat)
    end = CodedFrame(size: Size(width: 2, height: 2), layout: video.layout, color: video.color)
    state = Mutex(State(isOn: isOn))
    if isOn { file = try open() }
  }

  /// From any thread.
  var isOn: Bool { state.withLock { $0.isOn } }

  /// Begins another file with the next frame, or ends the present one. From any thread.
  /// - Returns: false if that is impossible: standard output cannot be begun twice.
  func toggle() -> Bool {
    state.withLock { state in
      if !state.isOn, video.url == "-", state.count > 0 { return false }
      state.owesEnd = state.isOn
      state.isOn.toggle()
      return true
    }
  }

  /// An empty frame to render into; nil while recording is off.
  func makeFrame(like frame: CodedFrame) -> CodedFrame? {
    isOn ? frames.frame(time: frame.time, fieldOrder: frame.fieldOrder) : nil
  }

  /// What is to be written instead of a frame where recording has been switched off; once.
  func takeEnd() -> CodedFrame? {
    state.withLock { state in
      defer { state.owesEnd = false }
      return state.owesEnd ? end : nil
    }
  }

  func write(_ frame: CodedFrame) throws {
    if frame === end { return try finishFile() }
    var file = try self.file ?? open()
    let zero = file.zero ?? frame.time
    if file.zero == nil { onFile(.began(name: file.writer.settings.url)) }
    (file.zero, file.frames) = (zero, file.frames + 1)
    self.file = file
    try file.writer.write(frame.at(frame.time.counted(from: zero)))
  }

  func pass(_ data: any PassingData) {}

  private func open() throws -> File {
    let number = state.withLock { state in
      state.count += 1
      return state.count
    }
    var settings = video.settings()
    settings.url = Self.name(video.url, number: number)
    let writer = try MediaWriter(settings)
    state.withLock { $0.writer = writer }
    return File(writer: writer)
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
    let own = try file.writer.finish()
    losses.sentences += own.sentences
    losses.failure = losses.failure ?? own.failure
    state.withLock { $0.finishedBytes += file.writer.bytesWritten }
    onFile(.ended(name: file.writer.settings.url, frames: file.frames))
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

  func discard() { state.withLock { $0.writer }?.discard() }
}
