internal import ColorScience
internal import FFmpegIO
internal import Files
internal import Foundation
internal import Frames
internal import Media
public import Sessions
internal import Synchronization

/// Converts a film in this process.
public final class SessionJob: FilmJob {
  private let order: FilmOrder
  private let wording: Wording
  private let session: Session
  private let heard = Heard()

  /// Events received from the session.
  private final class Heard: Sendable {
    let listener = Mutex<(@Sendable (FilmEvent) -> Void)?>(nil)
    let report = Mutex<String?>(nil)
    let progress = Mutex<Session.Progress?>(nil)
    let warnings = Atomic(0)

    func hear(_ event: Session.Event) {
      switch event {
      case .message(let message, let severity):
        // The result reports this itself.
        if severity == .warning, message.code != "partial-output" { warnings.add(1, ordering: .relaxed) }
        tell(.message(message, severity))
      case .progress(let progress): tell(.progress(progress))
      case .finished(let done): progress.withLock { $0 = done }
      case .began, .pipeline, .ended, .module: break
      }
    }

    func tell(_ event: FilmEvent) { listener.withLock { $0 }?(event) }
  }

  /// - Parameters:
  ///   - order: The film.
  ///   - wording: Words the report and the reason for a failure.
  public init(_ order: FilmOrder, wording: Wording) {
    (self.order, self.wording) = (order, wording)
    session = Session(wording: wording) { [heard] in
      heard.hear($0)
    } onReport: { [heard] text in
      heard.report.withLock { $0 = text }
    }
  }

  public func cancel() { session.cancel() }

  public func discard() { session.discardUnfinished() }

  public func run(_ hear: @escaping @Sendable (FilmEvent) -> Void) -> FilmResult {
    heard.listener.withLock { $0 = hear }
    var result = FilmResult(.converted)
    do {
      result.ending = try convert()
    } catch is Session.Cancellation {
      result.ending = .stopped(partial: nil)
    } catch {
      (result.ending, result.isOutOfSpace) = (ending(of: error), Self.isOutOfSpace(error))
    }
    if case .failed = result.ending { result.partial = session.partialName }
    result.warnings = heard.warnings.load(ordering: .relaxed)
    (result.progress, result.report) = (heard.progress.withLock { $0 }, heard.report.withLock { $0 })
    return result
  }

  private func convert() throws -> FilmResult.Ending {
    if order.skipsSDR, let skip = try skip() { return .skipped(skip) }
    let plan = try session.plan(order.request)
    heard.tell(.planned(summary: plan.summary))
    try makeFolder()
    switch try session.run(plan) {
    case .finished: return .converted
    case .cancelled: return .stopped(partial: session.partialName ?? named)
    }
  }

  /// Creates the output folder; a film that fails earlier leaves none behind.
  private func makeFolder() throws(Refusal) {
    guard let output = order.request.output.flatMap(MediaName.path) else { return }
    let folder = FileLocation(output).folder
    do {
      try FileLocation.makeFolder(folder)
    } catch {
      let reason = unsafe String(cString: strerror(error.code))
      throw .failed("folder-not-created", "Cannot create the folder '\(folder)': \(reason).")
    }
  }

  /// The stopped output, if it has its final name: it was finished up to there.
  private var named: String? { heard.progress.withLock { $0 } == nil ? nil : order.request.output }

  /// Returns why a file found in a folder is skipped. A file that cannot be opened is an error, not SDR.
  private func skip() throws -> FilmResult.Skip? {
    let reader: any MediaInput
    do {
      reader = try order.request.input.open(threads: order.request.processing.threadCount)
    } catch FFmpegError.noVideoStream {
      return .hasNoVideo
    }
    guard let first = try reader.peekFrame() else { return nil }
    // Only some Dolby Vision is tagged as HDR, and unsupported profiles must be reported.
    if first.metadata.dolbyVision != nil || first.metadata.hasDolbyVisionRPU { return nil }
    let color = order.request.input.overrides.applied(to: first.color)
    return [.pq, .hlg].contains(color.transfer) ? nil : .isSDR
  }

  private func ending(of error: any Error) -> FilmResult.Ending {
    switch error {
    case FFmpegError.output(.beingWritten), OutputError.beingWritten: return .isWrittenElsewhere
    case FFmpegError.output(.exists), OutputError.exists: return .skipped(.exists)
    case let refusal as Refusal:
      if refusal.message.code == "output-exists" { return .skipped(.exists) }
      return .failed(reason: wording.error(error), refusal.kind)
    case let error as any Failure: return .failed(reason: wording.error(error), error.kind)
    default: return .failed(reason: wording.error(error), .failed)
    }
  }

  private static func isOutOfSpace(_ error: any Error) -> Bool {
    let codes = [ENOSPC, EDQUOT]
    switch error {
    case OutputError.failed(_, _, let code, _), FFmpegError.output(.failed(_, _, let code, _)),
      FFmpegError.failed(_, _, let code, _):
      return codes.contains(abs(code))
    case FFmpegError.incompleteStatistics: return true
    default: return false
    }
  }
}
