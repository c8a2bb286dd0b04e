internal import Frames
internal import ImageFiles
internal import Media
internal import Sessions

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
