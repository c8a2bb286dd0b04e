internal import ColorScience
internal import Frames
internal import Rendering
internal import Verification

/// Measures the frames that it is given.
final class VerifySink: FrameSink, @unchecked Sendable {
  // @unchecked: the thread that writes is the only one to touch the variables until the run is over.
  private let verifier: Verifier
  private let converter: (renderer: FrameRenderer, pool: FramePool)?
  private let format: PixelFormat
  /// What frames are read as.
  private let color: ColorDescription

  /// - Parameter first: The frame that the plan was made from.
  init(_ plan: VerifyPlan, verifier: Verifier, first: CodedFrame, processing: ProcessingOptions) throws {
    self.verifier = verifier
    format = first.format
    converter = try plan.conversion.map { conversion in
      let renderer = try FrameRenderer(
        source: conversion.source, stages: conversion.stages, target: conversion.target, dither: false,
        tier: processing.kernels, pool: WorkerPool(count: processing.threads))
      return (renderer, FramePool(conversion.target.format))
    }
    color = plan.source.color
  }

  func write(_ frame: CodedFrame) throws {
    guard frame.format == format else { throw RenderingError.formatMismatch(expected: format, actual: frame.format) }
    let frame = frame.described(as: color)
    guard let converter else { return try verifier.add(frame) }
    let result = converter.pool.frame(time: frame.time, metadata: frame.metadata, fieldOrder: frame.fieldOrder)
    try converter.renderer.render(frame, into: result)
    try verifier.add(result)
  }

  /// Nothing beside frames is measured.
  func pass(_ data: any PassingData) {}
}
