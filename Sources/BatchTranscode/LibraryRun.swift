internal import Files
internal import Foundation
internal import Media
internal import Sessions
internal import Synchronization
internal import Threads

/// Converts the films of a plan, several in parallel if requested.
final class LibraryRun: Sendable {
  private let session: Session
  private let plan: LibraryPlan
  private let makeJob: @Sendable (FilmOrder) -> any FilmJob
  private let state: Mutex<State>
  private let threads = ThreadGroup()

  private struct State {
    /// Indices of films that have not started.
    var open: [Int]
    /// Indices of films that another run is writing.
    var elsewhere: [Int] = []
    /// Indices of all films that another run was writing at some point.
    var waited: Set<Int> = []
    var jobs: [Int: any FilmJob] = [:]
    var results: [Int: FilmResult] = [:]
    /// No more films are started.
    var isStopping = false
    var hasSaidSpace = false
    var hasSaidWaiting = false
  }

  /// Interval in seconds at which films that another run is writing are polled.
  private static let patience = 0.5

  init(_ session: Session, _ plan: LibraryPlan, _ makeJob: @escaping @Sendable (FilmOrder) -> any FilmJob) {
    (self.session, self.plan, self.makeJob) = (session, plan, makeJob)
    state = Mutex(State(open: Array(plan.films.indices.reversed())))
  }

  /// - Returns: The result of each film.
  func run() -> LibrarySummary {
    let start = ContinuousClock.now
    session.running {
      session.emit(.module(LibraryEvent.begins(plan)))
      session.removing { [self] in for job in jobs { job.discard() } }
      session.onCancel { [self] in stop() }
      for _ in 1..<max(min(plan.request.jobs, plan.films.count), 1) {
        // Fewer threads only take longer.
        do { try threads.start { [self] in work() } } catch { break }
      }
      work()
      threads.wait()
    }
    let results = state.withLock { $0.results }
    let unreadable = plan.unreadable.map { folder in
      let film = LibraryPlan.Film(input: folder.folder, output: "", name: folder.folder, isNamed: false)
      let refusal = Refusal.failed(.folderNotReadable(folder.folder, folder.reason))
      return LibrarySummary.Entry(film: film, result: failed(refusal))
    }
    return LibrarySummary(plan, results, unreadable, seconds: (ContinuousClock.now - start) / .seconds(1))
  }

  private var jobs: [any FilmJob] { state.withLock { Array($0.jobs.values) } }

  /// Starts no more films, and cancels the running ones.
  private func stop() {
    state.withLock { $0.isStopping = true }
    for job in jobs { job.cancel() }
  }

  private func work() {
    while let number = next() {
      if let result = convert(number) { finish(number, result) }
    }
  }

  /// Returns the next film; waits for films of another run, which may end without an output.
  private func next() -> Int? {
    while true {
      if session.isCancelled { return nil }
      let (next, waits) = state.withLock { state in
        if state.isStopping { return (Int?.none, false) }
        return (state.open.popLast(), !state.elsewhere.isEmpty)
      }
      if let next { return next }
      guard waits else { return nil }
      if let free = takeFree() { return free }
      usleep(UInt32(Self.patience * 1e6))
    }
  }

  /// Takes a film that no other run is writing any more.
  private func takeFree() -> Int? {
    let waiting = state.withLock { state in
      defer { state.hasSaidWaiting = true }
      return state.hasSaidWaiting ? nil : state.elsewhere.map { plan.films[$0].name }
    }
    if let waiting { say(waiting: waiting) }
    // This check is slow on a network file system.
    let free = state.withLock { $0.elsewhere }.first { !OutputFile.isBeingWritten(plan.films[$0].output) }
    return state.withLock { state in
      guard let place = state.elsewhere.firstIndex(where: { $0 == free }) else { return nil }
      return state.elsewhere.remove(at: place)
    }
  }

  /// - Parameter names: Films that another run is writing.
  private func say(waiting names: [String]) {
    let films = names.count == 1 ? "'\(names[0])' is" : "\(names.count) films are"
    session.note("waiting-for-other-run", "\(films) being converted by another run: waiting for it to end.")
  }

  /// - Returns: nil if the film was not started.
  private func convert(_ number: Int) -> FilmResult? {
    let (film, request) = (plan.films[number], plan.request)
    let isDone = request.skipsExisting || state.withLock { $0.waited.contains(number) }
    let isMarked = FileMark.isOn(film.output)
    switch FileStatus(film.output)?.kind {
    case .regular where isDone && !isMarked: return FilmResult(.skipped(.exists))
    case .folder: return failed(.failed(.outputIsFolder(film.output)))
    case .link, .other: return failed(.failed(.neitherFileNorFolder(film.output)))
    case .regular, nil: break
    }
    var order = FilmOrder(
      request: request.request(for: film), skipsSDR: !film.isNamed && !request.includesSDR)
    if isMarked { order.request.overwrites = true }
    let job = makeJob(order)
    let isStopping = state.withLock { state in
      state.jobs[number] = job
      return state.isStopping
    }
    defer { state.withLock { $0.jobs[number] = nil } }
    if isStopping { return nil }
    session.emit(.module(LibraryEvent.began(film, number: number)))
    let result = job.run { [session] event in session.emit(.module(LibraryEvent.heard(film, number: number, event))) }
    // The request did not allow skipping it.
    if case .skipped(.exists) = result.ending, !isDone {
      return failed(.failed(.outputExists(film.output)))
    }
    return result
  }

  private func failed(_ refusal: Refusal) -> FilmResult {
    FilmResult(.failed(reason: session.wording.error(refusal), refusal.kind))
  }

  private func finish(_ number: Int, _ result: FilmResult) {
    let film = plan.films[number]
    if result.ending == .isWrittenElsewhere {
      state.withLock { state in
        state.elsewhere.append(number)
        state.waited.insert(number)
      }
      return session.emit(.module(LibraryEvent.ended(film, number: number, result)))
    }
    let endsAll = state.withLock { state in
      state.results[number] = result
      guard result.isOutOfSpace else { return false }
      defer { state.hasSaidSpace = true }
      state.isStopping = true
      return !state.hasSaidSpace
    }
    session.emit(.module(LibraryEvent.ended(film, number: number, result)))
    if endsAll {
      session.warn("output-folder-full", "'\(plan.request.folder)' is full: no more films will be started.")
    }
  }
}
