public import ArgumentParser
internal import Foundation
public import Rendering

extension KernelTier: ExpressibleByArgument {}

/// What the work is done with.
struct ProcessingOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Threads that decode and render; the result is the same for any number.", valueName: "n"))
  var threads: Int?

  @Option(help: "Highest instruction-set tier of the pixel kernels.")
  var kernels: KernelTier = .detected

  /// Threads where nothing is said: one per processor.
  var threadCount: Int { threads ?? ProcessInfo.processInfo.activeProcessorCount }

  func validate() throws {
    if let threads, !(1...256).contains(threads) { throw ValidationError("--threads takes a number from 1 to 256.") }
    if kernels > .detected {
      throw ValidationError(
        "This processor does not run the kernels '\(kernels.rawValue)': the best it has is '\(KernelTier.detected.rawValue)'."
      )
    }
  }
}
