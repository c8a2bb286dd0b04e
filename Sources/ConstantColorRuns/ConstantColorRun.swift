internal import ColorScience
internal import ConstantColor
internal import Foundation
internal import Frames
internal import ImageFiles
internal import Media
internal import Rendering
internal import Sessions
internal import Synchronization
internal import Threads

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

  /// The report as a page.
  func page(_ result: ConstantColorResult, _ outcome: ConstantColorOutcome, _ kept: Kept) throws -> String {
    func png(_ light: LinearFrame?) throws -> Data? {
      try light.map { Data(try ScenePictureForm.shown.encode($0, pool: pool)) }
    }
    let matrix = RGBSpace.conversion(
      from: try request.form(of: request.output).primaries, to: ScenePictureForm.shown.primaries)
    let small = result.image.reduced(toColumns: Self.pageColumns, pool: pool)
    let map = result.confidenceMap.reduced(toColumns: Self.pageColumns)
    let pictures = ConstantColorPage.Pictures(
      ambient: try png(kept.ambientPage), flash: try png(kept.flashPage),
      result: try png(small.linearFrame(by: matrix, pool: pool)),
      confidenceMap: Data(try map.encode(as: .png, pool: pool)))
    return ConstantColorPage(outcome.report, pictures: pictures).html
  }
}

extension ConfidenceMap {
  /// Encodes a grey picture.
  func encode(as format: ImageFormat, pool: WorkerPool) throws -> [UInt8] {
    let frame = format == .exr ? linearFrame(pool: pool).coded(color: Self.color) : codedFrame(pool: pool)
    return try format.encoder().encode(frame)
  }
}

/// The output files of a run, checked in advance and renamed together when all are complete.
struct ConstantColorFiles {
  /// The constant-colour picture.
  let output: OutputFile
  /// The ambient picture.
  let fallback: OutputFile?
  /// The confidence map.
  let map: OutputFile?
  /// The report as JSON.
  let report: OutputFile?
  /// The report as a page: its file, and its folder if that has to be created.
  private let page: (file: OutputFile?, folder: ReportFolder?)
  private let session: Session

  /// A page was requested.
  var hasPage: Bool { page.file != nil || page.folder != nil }

  /// - Throws: `Refusal` for files that cannot be written, `OutputError`.
  init(_ request: ConstantColorRequest, _ session: Session) throws {
    self.session = session
    let folder = try request.page.flatMap { name in
      name.lowercased().hasSuffix(".html") ? nil : try ReportFolder(name, overwrites: request.overwrites)
    }
    var checked: [(parameter: Parameter, name: String?)] = []
    func file(_ parameter: Parameter, _ name: String?) throws -> OutputFile? {
      guard let name else { return nil }
      try OutputPath(name).checkBeside(
        parameter, reading: request.filesRead, outputs: checked, overwrites: request.overwrites)
      checked.append((parameter, name))
      guard MediaName.path(name) != nil else { throw Refusal.invalid(.fileNeeded(parameter)) }
      // The page's folder may be created later.
      return folder != nil && parameter == .page ? nil : try OutputFile(name, replaces: request.overwrites)
    }
    guard let output = try file(.output, request.output) else { preconditionFailure("An output has a name.") }
    self.output = output
    fallback = try file(.fallback, request.fallback)
    map = try file(.confidenceMap, request.confidenceMap)
    report = try file(.report, request.report)
    page = (try file(.page, folder?.file ?? request.page), folder)
  }

  /// Removes unfinished files if the process exits during the run.
  func removeAtExit() {
    for file in [output, fallback, map, report, page.file].compactMap(\.self) { session.removing { file.discard() } }
  }

  /// Writes files under temporary names, then renames them.
  /// - Parameters:
  ///   - contents: Files and their contents.
  ///   - html: The page; nil: none.
  /// - Throws: `OutputError`, `Cancellation`; nothing is left behind.
  func write(_ contents: [(file: OutputFile, bytes: [UInt8])], page html: String?) throws {
    var (files, named) = ([OutputFile](), [OutputFile]())
    do {
      for (file, bytes) in contents {
        files.append(file)
        try file.fill([bytes])
      }
      if let html, let file = try page.folder?.open() ?? page.file {
        session.removing { file.discard() }
        files.append(file)
        try file.fill([Array(html.utf8)])
      }
      if session.isCancelled { throw Session.Cancellation() }
      for file in files {
        try file.commit()
        named.append(file)
      }
    } catch {
      files.forEach { $0.discard() }
      named.forEach { $0.revoke() }
      page.folder?.discard()
      throw error
    }
  }
}

/// Runs pieces of work concurrently, each but the first on a separate thread.
final class ConcurrentWork<Value: Sendable>: Sendable {
  private let results: Mutex<[Int: Result<Value, any Error>]> = Mutex([:])
  private let works: [@Sendable () throws -> Value]

  private init(_ works: [@Sendable () throws -> Value]) { self.works = works }

  /// Runs all pieces of work.
  /// - Returns: Their results, in order.
  /// - Throws: The first error in this order.
  static func run(_ works: [@Sendable () throws -> Value]) throws -> [Value] {
    let all = ConcurrentWork(works)
    let threads = ThreadGroup()
    let others = works.indices.dropFirst().filter { index in
      (try? threads.start { all.run(index) }) == nil
    }
    // Work that got no thread runs here.
    for index in works.indices.prefix(1) + others { all.run(index) }
    threads.wait()
    return try all.results.withLock { results in try works.indices.map { try results[$0]!.get() } }
  }

  private func run(_ index: Int) {
    let result = Result { try works[index]() }
    results.withLock { $0[index] = result }
  }
}
