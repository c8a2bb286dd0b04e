import Media
import Synchronization
import Testing

import Sessions

/// What a session told, by its weight, in order.
final class Heard: Sendable {
  private let entries = Mutex<[(Diagnostic, Diagnostic.Severity)]>([])

  func add(_ event: Session.Event) {
    guard case .diagnostic(let diagnostic, let severity) = event else { return }
    entries.withLock { $0.append((diagnostic, severity)) }
  }

  private func all(_ severity: Diagnostic.Severity) -> [Diagnostic] {
    entries.withLock { $0.filter { $0.1 == severity }.map(\.0) }
  }

  var notes: [Diagnostic] { all(.note) }
  var warnings: [Diagnostic] { all(.warning) }
}

/// What a session tells while `body` makes use of it.
func heard<Result>(_ body: (Session) throws -> Result) throws -> Heard {
  let heard = Heard()
  _ = try body(Session(onEvent: heard.add))
  return heard
}

/// What a session refuses; another error is an issue.
func refusal<Result>(
  sourceLocation: SourceLocation = #_sourceLocation, _ body: (Session) throws -> Result
) -> Refusal? {
  do {
    _ = try body(Session())
    return nil
  } catch let refusal as Refusal {
    return refusal
  } catch {
    Issue.record(error, sourceLocation: sourceLocation)
    return nil
  }
}

/// Expects that a session refuses just this, and says whose fault it is.
func expectRefusal<Result>(
  _ diagnostic: Diagnostic, _ kind: FailureKind = .invalidRequest, strict: Bool = false,
  sourceLocation: SourceLocation = #_sourceLocation, _ body: (Session) throws -> Result
) {
  let refusal = refusal(sourceLocation: sourceLocation, body)
  #expect(refusal?.diagnostic == diagnostic, sourceLocation: sourceLocation)
  #expect(refusal?.kind == kind, sourceLocation: sourceLocation)
  #expect(refusal?.isStrict == strict, sourceLocation: sourceLocation)
}

/// Expects that a session tells just this once as a warning, and not as a note.
func expectWarning<Result>(
  _ diagnostic: Diagnostic, sourceLocation: SourceLocation = #_sourceLocation, _ body: (Session) throws -> Result
) throws {
  let heard = try heard(body)
  #expect(heard.warnings.filter { $0 == diagnostic }.count == 1, "\(heard.warnings)", sourceLocation: sourceLocation)
  #expect(!heard.notes.contains(diagnostic), sourceLocation: sourceLocation)
}

/// Expects that a session tells just this once as a note, and not as a warning.
func expectNote<Result>(
  _ diagnostic: Diagnostic, sourceLocation: SourceLocation = #_sourceLocation, _ body: (Session) throws -> Result
) throws {
  let heard = try heard(body)
  #expect(heard.notes.filter { $0 == diagnostic }.count == 1, "\(heard.notes)", sourceLocation: sourceLocation)
  #expect(!heard.warnings.contains(diagnostic), sourceLocation: sourceLocation)
}
