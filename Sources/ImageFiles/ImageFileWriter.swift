internal import FFmpegIO
internal import Files
internal import Foundation
public import Frames
public import Media
internal import Synchronization
internal import Threads

/// Writes frames as pictures: to separate files, or one after the other to one file.
///
/// Frames are encoded on several threads and committed in order, so that the files written before an error are
/// contiguous. A file appears when it is complete, then its sidecar file. At most one frame per thread and one waiting
/// frame are alive.
public final class ImageFileWriter: OutputSink, @unchecked Sendable {
  // @unchecked: every variable is read and written with `condition` locked, except for the atomic count; `stream` is
  // used by the thread whose turn it is.

  /// The output and its settings.
  public struct Settings: Sendable {
    /// The file names.
    public var names: FileNames
    /// The encoder.
    public var encoder: any ImageEncoder
    /// Number of the first file.
    public var firstNumber = 0
    /// Existing files of these names are replaced; otherwise they are an error.
    public var replacesFiles = true
    /// Number of encoding threads.
    public var threads = 1
    /// The bytes before the first frame of a file.
    public var header: [UInt8] = []
    /// Returns the text of the sidecar file from the times of its frames in seconds; nil: no sidecar.
    public var sidecar: (@Sendable ([Double]) throws -> String)?

    /// Numbers begin at `firstNumber` unless changed.
    public init(names: FileNames, encoder: any ImageEncoder) {
      (self.names, self.encoder) = (names, encoder)
    }
  }

  private struct Job {
    let index: Int
    let frame: CodedFrame
  }

  private let settings: Settings
  private let condition = NSCondition()
  private let written = Atomic(0)
  private var jobs: [Job] = []
  /// Frames taken, and frames committed.
  private var (taken, placed) = (0, 0)
  private var failure: (any Error)?
  private var isFinished = false
  private var times: [Double] = []
  private var runningThreads = 0
  /// Files that have not been renamed yet, by frame.
  private var unfinished: [Int: [OutputFile]] = [:]
  /// The single file of all frames; nil if each frame has a file.
  private let stream: OpenOutputFile?
  /// Whether it is a file; pipes and devices have no sidecar files.
  private let isFile: Bool

  /// Opens the file if there is only one.
  /// - Throws: `FFmpegError` if the folder does not exist, or the file cannot be created; `ThreadError` if no thread
  ///   can be created.
  public init(_ settings: Settings) throws {
    self.settings = settings
    let name = settings.names.name(settings.firstNumber)
    let file = try OutputFile(name, replaces: settings.replacesFiles)
    isFile = file.isFile
    if settings.names.hasNumber {
      let names = settings.names.lastComponent
      OutputFile.removeDead(in: FileLocation(FileLocation.resolved(name)).folder) { names.holds($0) }
    }
    stream = settings.names.hasNumber ? nil : try OpenOutputFile(file)
    do { try stream?.write(settings.header) } catch {
      stream?.discard()
      throw error
    }
    do { try startThreads(max(settings.threads, 1)) } catch {
      stream?.discard()
      throw error
    }
  }

  /// Starts one thread at least; more if the system can create them.
  private func startThreads(_ count: Int) throws {
    for number in 0..<count {
      condition.withLock { runningThreads += 1 }
      do {
        try SystemThread.start { [self] in serve() }
      } catch {
        condition.withLock { runningThreads -= 1 }
        if number == 0 { throw error }
        return
      }
    }
  }

  /// Takes a frame, and waits while the maximum number is in flight.
  /// - Throws: The error of an earlier frame.
  public func write(_ frame: CodedFrame) throws {
    try condition.withLock {
      while taken - placed > settings.threads, failure == nil { condition.wait() }
      if let failure { throw failure }
      jobs.append(Job(index: taken, frame: frame))
      if stream != nil { times.append(frame.time.seconds) }
      taken += 1
      condition.broadcast()
    }
  }

  /// Pictures contain no passing data.
  public func pass(_ data: any PassingData) {}

  /// Waits for the last frame, and renames the single file if there is one.
  /// - Throws: The first error in the order of frames; an unfinished file is removed.
  @discardableResult
  public func finish() throws -> OutputLosses {
    end()
    do {
      try condition.withLock { if let failure { throw failure } }
      let text = try stream.flatMap { _ in try sidecar(of: settings.names.name(0), times) }
      do {
        try stream?.commit()
        try text?.commit()
      } catch {
        text?.discard()
        throw error
      }
    } catch {
      stream?.discard()
      throw error
    }
    return OutputLosses()
  }

  /// Stops without completing frames in flight, and removes their files.
  public func cancel() {
    condition.withLock { if failure == nil { failure = CancellationError() } }
    end()
    stream?.discard()
  }

  /// Removes unfinished files at once, regardless of other threads; for a process that is about to exit.
  public func discard() {
    stream?.file.discard()
    condition.withLock { unfinished.values.joined().forEach { $0.discard() } }
  }

  /// Bytes written so far.
  public var bytesWritten: Int { written.load(ordering: .relaxed) }

  private func end() {
    condition.withLock {
      isFinished = true
      condition.broadcast()
      while runningThreads > 0 { condition.wait() }
    }
  }

  private func serve() {
    var bytes: [UInt8] = []
    while let job = next() {
      let result = Result { try prepare(job, &bytes) }
      if waitForTurn(job.index) {
        do {
          for file in try result.get() { try file.commit() }
          advance(job.index, nil)
          continue
        } catch {
          advance(job.index, error)
        }
      }
      if case .success(let files) = result { files.forEach { $0.discard() } }
    }
    condition.withLock {
      runningThreads -= 1
      condition.broadcast()
    }
  }

  private func next() -> Job? {
    condition.withLock {
      while jobs.isEmpty, !isFinished { condition.wait() }
      return jobs.isEmpty ? nil : jobs.removeFirst()
    }
  }

  /// Encodes a frame and writes it: under a temporary name, or in turn to the single file.
  /// - Parameter bytes: The bytes of an earlier frame, whose memory is reused.
  /// - Returns: The files to rename, in order.
  private func prepare(_ job: Job, _ bytes: inout [UInt8]) throws -> [OutputFile] {
    if condition.withLock({ failure != nil }) { return [] }
    try settings.encoder.encode(job.frame, into: &bytes)
    if let stream {
      guard waitForTurn(job.index) else { return [] }
      try stream.write(bytes)
      written.add(bytes.count, ordering: .relaxed)
      return []
    }
    let name = settings.names.name(settings.firstNumber + job.index)
    let file = try OutputFile(name, replaces: settings.replacesFiles, looksForOthers: false)
    condition.withLock { unfinished[job.index] = [file] }
    try file.fill([settings.header, bytes])
    written.add(bytes.count, ordering: .relaxed)
    do {
      guard let text = try sidecar(of: name, [job.frame.time.seconds]) else { return [file] }
      condition.withLock { unfinished[job.index] = [file, text] }
      return [file, text]
    } catch {
      file.discard()
      throw error
    }
  }

  /// The sidecar file under its temporary name; nil: none.
  private func sidecar(of name: String, _ times: [Double]) throws -> OutputFile? {
    guard let sidecar = settings.sidecar, isFile else { return nil }
    let file = try OutputFile(
      name + FileNames.sidecarSuffix, replaces: settings.replacesFiles, looksForOthers: stream != nil)
    try file.fill([Array(try sidecar(times).utf8)])
    return file
  }

  /// - Returns: false if an earlier frame has failed.
  private func waitForTurn(_ index: Int) -> Bool {
    condition.withLock {
      while placed < index, failure == nil { condition.wait() }
      return failure == nil
    }
  }

  /// Marks a frame as committed or failed.
  private func advance(_ index: Int, _ error: (any Error)?) {
    condition.withLock {
      unfinished[index] = nil
      placed += 1
      if failure == nil { failure = error }
      condition.broadcast()
    }
  }
}
