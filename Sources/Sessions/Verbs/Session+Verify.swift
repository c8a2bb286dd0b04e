internal import FFmpegIO
internal import Foundation
internal import Frames
internal import ImageFiles
internal import Media
internal import Patterns
internal import Rendering
public import Verification

extension Session {
  /// Measures the selected frames of an input that should show a pattern.
  /// - Parameters:
  ///   - request: The input and the expected pattern.
  ///   - report: The folder of an HTML report; nil: none.
  ///   - overwrites: Replaces an existing report in that folder.
  /// - Throws: `Refusal`, `PatternError`, or the error of a library.
  public func run(
    _ request: VerifyRequest, report: String? = nil, overwrites: Bool = false
  ) throws -> VerifyResult {
    try request.validate()
    let folder = try report.map { try ReportFolder($0, overwrites: overwrites) }
    _ = try ChosenPattern(request.pattern)
    let state = InputState(request.input, request.selection)
    let reader = try request.input.open(threads: request.processing.threadCount)
    let first = try reader.firstFrame(of: request.selection)
    let plan = try VerifyPlan(request, first: first, name: reader.info.url)
    warn(reader.colorWarnings + plan.source.warnings)
    note(reader.readerNotes + plan.source.notes)
    // Raw frame formats cannot carry tags.
    let isBare = ContainerTraits.of(reader.info.formatName).isBare
    let verifier = plan.makeVerifier(name: reader.info.url, carriesTags: !isBare)
    let sink = try VerifySink(plan, verifier: verifier, first: first)
    var run = Run(reader, SelectionPlan(request.selection), to: sink)
    run.input = state
    return try running {
      let done = try perform(run)
      var result = VerifyResult(outcome: done.outcome)
      _ = try conclude(done, reader, request.selection) {
        guard let verification = verifier.finish() else {
          throw Refusal.failed(.noFramesSelected(reader.info.url))
        }
        if let folder {
          let picture = try ReportPicture(of: first, plan.source, processing: request.processing)
          try folder.write(VerificationPage(verification, picture: Data(picture.png)).html)
        }
        result.verification = verification
      } reporting: { failure in
        // A partial measurement is still a result.
        if result.verification == nil { return failure }
        result.failure = failure
        return nil
      }
      return result
    }
  }
}

/// The result of a verification.
public struct VerifyResult: Sendable {
  /// nil if `cancel()` was called before the first frame.
  public var verification: Verification?
  /// Outcome of the run.
  public var outcome: Session.Outcome
  /// The error that ended the input before the end of the selection.
  public var failure: (any Error)?
}

/// Measures the frames it receives.
private final class VerifySink: FrameSink, @unchecked Sendable {
  // @unchecked: only the writing thread uses the variables until the run is over.
  private let verifier: Verifier
  private let converter: (renderer: FrameRenderer, pool: FramePool)?
  private let format: PixelFormat
  /// Interpretation of frames.
  private let color: ColorDescription

  /// - Parameter first: The frame used for planning.
  init(_ plan: VerifyPlan, verifier: Verifier, first: CodedFrame) throws {
    self.verifier = verifier
    format = first.format
    let processing = plan.request.processing
    converter = try plan.conversion.map { conversion in
      let renderer = try FrameRenderer(
        source: conversion.source, stages: conversion.stages, target: conversion.target, dither: false,
        tier: processing.kernels, pool: WorkerPool(count: processing.threads))
      return (renderer, FramePool(conversion.target.format))
    }
    color = plan.source.color
  }

  package func write(_ frame: CodedFrame) throws {
    guard frame.format == format else { throw SourceFollower.refusal(frame) }
    let frame = frame.described(as: color)
    guard let converter else { return try verifier.add(frame) }
    let result = converter.pool.frame(time: frame.time, metadata: frame.metadata, fieldOrder: frame.fieldOrder)
    try converter.renderer.render(frame, into: result)
    try verifier.add(result)
  }

  /// Ignores data other than frames.
  func pass(_ data: any PassingData) {}
}
