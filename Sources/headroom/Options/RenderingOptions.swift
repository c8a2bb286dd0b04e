public import ArgumentParser
internal import Foundation
public import Rendering
internal import Sessions
internal import ToneMapping

/// How frames are rendered: dynamic metadata, dithering, threads and kernels.
struct RenderingOptions: ParsableArguments {
  enum DynamicMetadata: String, ExpressibleByArgument, CaseIterable {
    case use, ignore
  }

  @Option(help: "HDR10+ and ST 2094-50 of the input: use them for the mapping, or go by static metadata alone.")
  var dynamicMetadata: DynamicMetadata = .use

  @Flag(inversion: .prefixedNo, help: "Dither eight-bit output.")
  var dither = true

  @OptionGroup var processing: ProcessingOptions

  var request: RenderingRequest {
    var request = RenderingRequest()
    (request.usesDynamicMetadata, request.dithers) = (dynamicMetadata == .use, dither)
    return request
  }

  func validate(with mapping: MappingOptions) throws {
    try validated { try request.validate(with: mapping.request) }
  }
}

extension KernelTier: ExpressibleByArgument {}

/// Threads and kernels.
struct ProcessingOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Threads for decoding and rendering; any number gives the same result.", valueName: "n"))
  var threads: Int?

  @Option(help: "Highest instruction-set tier of the pixel kernels.")
  var kernels: KernelTier = .detected

  var request: ProcessingRequest {
    var request = ProcessingRequest()
    (request.threads, request.kernels) = (threads, kernels)
    return request
  }

  func validate() throws {
    try validated { try request.validate() }
  }
}
