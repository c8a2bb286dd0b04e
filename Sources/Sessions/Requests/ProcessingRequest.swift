internal import Foundation
public import Rendering

/// Threads and kernels. Frames do not depend on the number of threads; tiers of kernels differ in single code values.
public struct ProcessingRequest: DefaultedRequest, Hashable, Codable {
  /// Number of threads for decoding and rendering; nil: one per processor.
  public var threads: Int?
  /// The highest instruction-set tier of the kernels.
  public var kernels = KernelTier.detected

  public static let defaults = ProcessingRequest()

  /// One thread per processor, and the best kernels.
  public init() {}

  /// Number of threads.
  public var threadCount: Int { threads ?? ProcessInfo.processInfo.activeProcessorCount }

  /// Checks the values against this machine.
  /// - Throws: `Refusal` for values out of range, and for kernels that this processor does not support, as in a plan
  ///   made on another machine: tiers differ in a few code values.
  public func validate() throws(Refusal) {
    if kernels > .detected {
      throw .invalid(
        "kernels-unsupported",
        "This processor does not run the kernels '\(kernels.rawValue)': the best it has is "
          + "'\(KernelTier.detected.rawValue)' (\(.kernels)).")
    }
    try ProcessingOptions.check(self)
  }
}
