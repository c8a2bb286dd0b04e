internal import Foundation
public import Frames
internal import Media
internal import Synchronization
internal import Threads

extension StreamPipeline {
  /// Moves all frames to the only output. Blocks until the last one is written. A pipeline can run once.
  /// - Parameter render: Renders the frame to write from the frame read. Called on this thread.
  /// - Returns: The outcome of the run.
  /// - Throws: The first error of the source, `render` or an essential sink, or `ThreadError` if a thread cannot be
  ///   created. After an error of the source, preceding frames are still written; after any other, none are.
  public func run(_ render: (CodedFrame) throws -> CodedFrame) throws -> Outcome {
    precondition(outlets.count == 1, "Several outputs need a frame each.")
    return try run { frame, _ in [.frame(try render(frame))] }
  }

  /// Moves all frames. Blocks until the last one is written. A pipeline can run once.
  /// - Parameter render: Renders the frames to write from the frame read. It returns one result per output, in the
  ///   order of the outputs. Called on this thread, with the outputs that are still open; results for closed ones are
  ///   ignored. An error that it throws ends the run.
  /// - Returns: The outcome of the run.
  /// - Throws: The first error of the source, `render` or an essential output, or `ThreadError` if a thread cannot be
  ///   created. After an error of the source, preceding frames are still written; after any other, none are.
  public func run(_ render: (CodedFrame, OutputSet) throws -> [Rendered]) throws -> Outcome {
    do {
      for index in outlets.indices { try threads.start { self.writeAll(to: index) } }
      switch origin {
      case .file(let source):
        try threads.start { self.readAll(source) }
        try renderAll(render)
      case .live(let source):
        try source.start(
          delivering: LiveIntake(capacity: capacity, inlet: inlet, record: record) { [weak self] in
            self?.tap($0, arrival: $1)
          })
        defer { source.stop() }
        try renderAll(render)
      }
      outlets.forEach { $0.finish() }
      interruptStalled()
    } catch {
      fail(error)
    }
    changes.close()
    makeChanges(before: nil)
    threads.wait()
    if let failure = record.failure { throw failure }
    if record.openOutputs.isEmpty { return .outputsFailed }
    return isCancelled.load(ordering: .relaxed) ? .cancelled : .finished
  }

  // MARK: The reading thread

  private func readAll(_ source: any FrameSource) {
    do {
      while !isCancelled.load(ordering: .relaxed) {
        let start = ContinuousClock.now
        let item = try source.read()
        record.count(since: start) { $0.reading += $1 }
        guard let item, inlet.push(Item(passing: item.passing.map { [$0] } ?? [], frame: item.frame)) else { break }
      }
    } catch {
      // Frames already read are still rendered and written. An interrupted source may report its end as an error.
      if !isCancelled.load(ordering: .relaxed) { record.keep(error) }
    }
    inlet.finish()
  }

  // MARK: The rendering thread

  private func renderAll(_ render: (CodedFrame, OutputSet) throws -> [Rendered]) throws {
    var last = LastFrame()
    while let items = try renderNext(render, after: &last) { hand(items) }
    if isCancelled.load(ordering: .relaxed) { record.emit(.cancelled(after: last.time)) }
  }

  /// The last rendered frame.
  private struct LastFrame {
    var time: FrameTime?
    /// nil: it is not rendered again.
    var frame: CodedFrame?
  }

  /// Renders the next frame. The source frame is released on return, before anything waits for a sink, unless it may
  /// have to be shown again.
  /// - Returns: One item per output; nil at the end.
  private func renderNext(
    _ render: (CodedFrame, OutputSet) throws -> [Rendered], after last: inout LastFrame
  ) throws -> [Item]? {
    guard let item = nextItem(after: last) else { return nil }
    var results = [Rendered](repeating: .nothing, count: outlets.count)
    if let frame = item.frame {
      var open = record.openOutputs
      guard !open.isEmpty else { return nil }
      open = OutputSet(
        outlets.indices.map { open.contains($0) && (!item.isRedraw || outlets[$0].output.policy == .latest) },
        isRedraw: item.isRedraw, isStep: item.isStep, arrival: item.arrival)
      makeChanges(before: frame.time)
      let start = ContinuousClock.now
      results = try render(frame, open)
      precondition(results.count == outlets.count, "Rendering returns one result for each output.")
      record.count(since: start) { $0.rendering += $1 }
      last = LastFrame(time: frame.time, frame: keepsLast ? frame : nil)
      for index in outlets.indices where open.contains(index) {
        if case .failed(let error) = results[index] { fail(index, error) }
      }
    }
    return zip(outlets, results).map { outlet, result in
      Item(
        passing: outlet.output.takesPassingData ? item.passing : [], frame: result.frame, arrival: item.arrival,
        isRedraw: item.isRedraw)
    }
  }

  /// Waits for the next item, and reports pauses that begin or end in the meantime.
  private func nextItem(after last: LastFrame) -> Item? {
    while true {
      switch inlet.next() {
      case .item(let item, let isStep):
        guard isStep, let frame = item.frame else { return item }
        record.emit(.stepped(frame.time))
        // It waited for a request, which does not count as latency.
        return Item(passing: item.passing, frame: frame, isStep: true)
      case .held: record.emit(.paused(after: last.time))
      case .released: record.emit(.resumed(after: last.time))
      case .redraw: if let frame = last.frame { return Item(frame: frame, isRedraw: true) }
      case .expired(let frame): record.emit(.droppedBeforeRendering(time: frame.time, format: frame.format))
      case .end: return nil
      }
    }
  }

  /// Passes a newly arrived frame to the outputs that take it before rendering. On the source's thread.
  private func tap(_ frame: CodedFrame, arrival: ContinuousClock.Instant) {
    for (index, outlet) in outlets.enumerated() {
      guard let tap = outlet.output.tap, !outlet.isAbandoned, let own = tap(frame) else { continue }
      offer(Item(frame: own, arrival: arrival), to: index)
    }
  }

  private func offer(_ item: Item, to index: Int) {
    guard let dropped = outlets[index].offer(item) else { return }
    record.countDropped(by: index)
    record.emit(.dropped(output: outlets[index].output.name, time: dropped.time))
  }

  /// Offers all outputs their items before waiting for space, so that sinks write concurrently.
  private func hand(_ items: [Item]) {
    for (index, item) in items.enumerated() where item.frame != nil || !item.passing.isEmpty { offer(item, to: index) }
    outlets.forEach { $0.waitForRoom() }
  }

  /// - Parameter time: Time of the next frame to render; nil at the end.
  private func makeChanges(before time: FrameTime?) {
    for change in changes.take() {
      do {
        try change.body()
        record.emit(.changed(change.name, before: time))
      } catch {
        record.emit(.changeFailed(change.name, error: error))
      }
    }
  }

  // MARK: A sink's thread

  private func writeAll(to index: Int) {
    let outlet = outlets[index]
    defer { outlet.end() }
    do {
      while let item = outlet.next() { try write(item, to: index) }
    } catch {
      fail(index, error)
    }
  }

  private func write(_ item: Item, to index: Int) throws {
    let sink = outlets[index].output.sink
    let start = ContinuousClock.now
    for data in item.passing { try sink.pass(data) }
    // Anything still written to an interrupted sink would be lost.
    if outlets[index].isAbandoned { return }
    if let frame = item.frame { try sink.write(frame) }
    record.countWritten(item, by: index, from: start, to: .now)
  }

  // MARK: Any thread

  /// Handles the failure of an output. An optional one is closed; if none is left open, the run ends.
  private func fail(_ index: Int, _ error: any Error) {
    let outlet = outlets[index]
    if outlet.output.fate == .essential { return fail(error) }
    outlet.close()
    // An interruption may cause a sink error.
    guard !outlet.isInterrupted, record.close(index) else { return }
    outlet.interrupt()
    record.emit(.failed(output: outlet.output.name, error: error))
    if record.openOutputs.isEmpty { stopReading() }
  }

  /// Keeps the first error and ends every thread.
  private func fail(_ error: any Error) {
    record.keep(error)
    stopReading()
    outlets.forEach { $0.interrupt() }
  }

  /// At the end, a window, or an optional output that drops frames anyway, has one second to finish its last frames, so
  /// that a stalled sink does not delay completed outputs.
  private func interruptStalled() {
    func isPatient(_ outlet: Outlet) -> Bool {
      outlet.output.policy == .everyFrame || outlet.output.policy != .latest && outlet.output.fate == .essential
    }
    for outlet in outlets where isPatient(outlet) { _ = outlet.waitForEnd() }
    let end = Date(timeIntervalSinceNow: Self.patience)
    for outlet in outlets where !isPatient(outlet) && !outlet.waitForEnd(until: end) { outlet.interrupt() }
  }

  /// Timeout in seconds for an output's last frames.
  private static let patience = 1.0

  /// Drops frames queued for rendering, and ends reading and rendering.
  private func stopReading() {
    if case .file(let source) = origin { source.interrupt() }
    inlet.abandon()
  }
}
