internal import Foundation
internal import Synchronization
internal import Threads

/// A fixed number of threads that process the bands of one frame at a time.
///
/// The caller is one of the workers. Work is distributed by an atomic counter, without locks or allocations per band.
public final class WorkerPool: Sendable {
  /// Number of workers, including the caller.
  public let count: Int
  private let shared: Shared
  /// Held while a job runs: workers, and per-worker state of renderers, serve one job at a time.
  private let turn = NSLock()

  /// Creates the threads.
  /// - Parameter count: Number of workers, at least 1; nil: one per processor. There may be fewer if the system cannot
  ///   create enough threads; results do not depend on the number.
  public init(count: Int? = nil) {
    let shared = Shared()
    self.shared = shared
    var made = 1
    while made < count ?? ProcessInfo.processInfo.activeProcessorCount {
      let worker = made
      guard (try? SystemThread.start { shared.serve(worker: worker) }) != nil else { break }
      made += 1
    }
    self.count = made
  }

  deinit { shared.stop() }

  /// Calls `body` once for each index in 0..<count, from several threads, and returns when all calls have returned.
  ///
  /// Concurrent callers are serialized; a body must not call this.
  /// - Parameters:
  ///   - count: Number of calls.
  ///   - body: Receives the index and the number of the worker, 0..<`self.count`.
  package func run(_ count: Int, _ body: @escaping @Sendable (_ index: Int, _ worker: Int) -> Void) {
    turn.withLock { shared.run(Job(count: count, body: body), workers: self.count) }
  }

  /// The only loop over bands: divides pictures of equal height into bands, and calls `body` once for each, as `run`
  /// does.
  /// - Parameters:
  ///   - height: Number of rows in each picture.
  ///   - span: Number of rows in a band; the last band may have fewer.
  ///   - pictures: Number of pictures, such as the fields of a frame.
  ///   - body: Receives the rows of the band, the number of the picture, and the number of the worker.
  public func forEachBand(
    of height: Int, span: Int, pictures: Int = 1,
    _ body: @escaping @Sendable (_ rows: Range<Int>, _ picture: Int, _ worker: Int) -> Void
  ) {
    let bands = (height + span - 1) / span
    run(pictures * bands) { index, worker in
      let first = index % bands * span
      body(first..<min(first + span, height), index / bands, worker)
    }
  }

  private final class Job: Sendable {
    private let count: Int
    private let body: @Sendable (Int, Int) -> Void
    private let next = Atomic(0)

    init(count: Int, body: @escaping @Sendable (Int, Int) -> Void) {
      self.count = count
      self.body = body
    }

    func work(_ worker: Int) {
      while true {
        let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard index < count else { return }
        body(index, worker)
      }
    }
  }

  private final class Shared: @unchecked Sendable {
    // @unchecked: every variable is read and written with `condition` locked.
    private let condition = NSCondition()
    private var job: Job?
    private var generation = 0
    private var running = 0
    private var isStopped = false

    func run(_ job: Job, workers: Int) {
      condition.lock()
      self.job = job
      generation += 1
      running = workers - 1
      condition.broadcast()
      condition.unlock()
      job.work(0)
      condition.lock()
      while running > 0 { condition.wait() }
      self.job = nil
      condition.unlock()
    }

    func serve(worker: Int) {
      var seen = 0
      condition.lock()
      while true {
        while generation == seen, !isStopped { condition.wait() }
        if isStopped { break }
        seen = generation
        let job = self.job
        condition.unlock()
        job?.work(worker)
        condition.lock()
        running -= 1
        if running == 0 { condition.broadcast() }
      }
      condition.unlock()
    }

    func stop() {
      condition.lock()
      isStopped = true
      condition.broadcast()
      condition.unlock()
    }
  }
}

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

// The parts of the C library that Rendering needs.

package func raise(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }

package func cosine(_ angle: Double) -> Double { cos(angle) }

package func exponential(_ value: Double) -> Double { exp(value) }

/// Size of a core's second-level cache in bytes; the small cores' typical size if the system does not report it.
package let secondLevelCache: Int = {
  #if canImport(Glibc)
    let size = sysconf(Int32(_SC_LEVEL2_CACHE_SIZE))
    if size > 0 { return min(size, 4 << 20) }
  #endif
  return 256 << 10
}()
