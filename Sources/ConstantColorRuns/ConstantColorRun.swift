internal import ColorScience
internal import ConstantColor
internal import Foundation
internal import Frames
internal import ImageFiles
internal import Media
internal import Rendering
internal import Sessions

/// Makes a constant-colour picture and its side outputs.
struct ConstantColorRun {
  /// Width in pixels of pictures on a page.
  static let pageColumns = 1280

  let session: Session
  let request: ConstantColorRequest
  let files: ConstantColorFiles
  let pool: WorkerPool

  /// Data kept from the pair during processing: its light would take a third of the memory.
  struct Kept {
    var fallback: LinearFrame?
    var ambientPage: LinearFrame?
    var flashPage: LinearFrame?
  }

  /// - Parameter frames: The pair, if it comes from a clip.
  func run(_ frames: ScenePair?) throws -> ConstantColorOutcome {
    let form = try request.form(of: request.output)
    let color = try FlashColor(request.flash)
    var pair: ScenePair? = try frames ?? stills()
    guard let facts = pair.map({ PairFacts($0) }) else { preconditionFailure("A pair was read.") }
    try color.check(facts.camera)
    try checkCancellation()
    var kept = Kept()
    if let pair { kept = try keep(pair, form) }
    var settings = ConstantColorSettings(
      exposureRatio: request.exposureRatio, flash: color.light(in: facts.orientation), space: form.primaries,
      registers: request.registers)
    settings.regions = request.regions.map(\.area)
    let processor = ConstantColorProcessor(settings, pool: pool)
    let result = try Self.process(&pair, by: processor)
    try checkCancellation()
    let outcome = ConstantColorOutcome(
      result, request, pair: facts, basis: color.basis, wording: session.wording)
    session.warn(outcome.warnings)
    try write(result, outcome, kept, form)
    return outcome
  }

  private func stills() throws -> ScenePair {
    guard case .stills(let ambient, let flash) = request.source else { preconditionFailure("Frames were read before.") }
    return try ScenePair(ambient: ambient, flash: flash, pool: pool, processing: request.processing)
  }

  /// Hands the pair over, so that the processor can free what it no longer needs.
  private static func process(
    _ pair: inout ScenePair?, by processor: ConstantColorProcessor
  ) throws -> ConstantColorResult {
    guard let taken = pair.take() else { preconditionFailure("A pair is processed once.") }
    let (ambient, flash) = (taken.ambient.image, taken.flash.image)
    _ = consume taken
    return try processor.process(ambient: consume ambient, flash: flash)
  }

  private func checkCancellation() throws { if session.isCancelled { throw Session.Cancellation() } }

  private func keep(_ pair: ScenePair, _ form: ScenePictureForm) throws -> Kept {
    var kept = Kept()
    if request.fallback != nil { kept.fallback = pair.ambient.light(in: form.primaries, pool: pool) }
    guard files.hasPage else { return kept }
    func small(_ still: SceneStill) -> LinearFrame {
      still.light(in: ScenePictureForm.shown.primaries, columns: Self.pageColumns, pool: pool)
    }
    (kept.ambientPage, kept.flashPage) = (small(pair.ambient), small(pair.flash))
    return kept
  }

  private func write(
    _ result: ConstantColorResult, _ outcome: ConstantColorOutcome, _ kept: Kept, _ form: ScenePictureForm
  ) throws {
    var works: [@Sendable () throws -> (file: OutputFile, bytes: [UInt8])] = []
    func add(_ file: OutputFile?, _ encode: @escaping @Sendable () throws -> [UInt8]) {
      if let file { works.append { (file, try encode()) } }
    }
    let pool = pool
    if outcome.isBelieved {
      add(files.output) { try form.encode(result.image.linearFrame(pool: pool), pool: pool) }
    }
    if let light = kept.fallback, let name = request.fallback {
      let form = try request.form(of: name)
      add(files.fallback) { try form.encode(light, pool: pool) }
    }
    if let name = request.confidenceMap {
      let format = try ConstantColorRequest.mapFormat(name)
      add(files.map) { try result.confidenceMap.encode(as: format, pool: pool) }
    }
    if files.report != nil {
      let report = try outcome.report.json()
      add(files.report) { [UInt8](report) }
    }
    let html = try files.hasPage ? page(result, outcome, kept) : nil
    try files.write(ConcurrentWork.run(works), page: html)
  }
}

extension ConfidenceMap {
  /// Encodes a grey picture.
  func encode(as format: ImageFormat, pool: WorkerPool) throws -> [UInt8] {
    let frame = format == .exr ? linearFrame(pool: pool).coded(color: Self.color) : codedFrame(pool: pool)
    return try format.encoder().encode(frame)
  }
}
