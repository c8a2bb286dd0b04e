internal import Foundation
public import Rendering

/// Threads and kernels. Nothing that is written depends on them.
public struct ProcessingRequest: Sendable, Hashable, Codable {
  /// Threads that decode and render; nil: one per processor.
  public var threads: Int?
  /// The highest instruction-set tier of the kernels.
  public var kernels = KernelTier.detected

  /// A thread for every processor, and the best kernels.
  public init() {}

  /// Threads that are used.
  public var threadCount: Int { threads ?? ProcessInfo.processInfo.activeProcessorCount }

  /// Checks the values against this machine.
  /// - Throws: `Refusal` for values out of their range, and for kernels that this processor does not run, as a plan may
  ///   ask for that was made on another machine: tiers differ in single codes.
  public func validate() throws(Refusal) {
    if kernels > .detected { throw .invalid(.run(.kernelsDoNotRun(kernels, best: .detected))) }
    if let threads, !(1...256).contains(threads) { throw .invalid(.outOfRange(.threads, "\(threads)", "1", "256")) }
  }
}
