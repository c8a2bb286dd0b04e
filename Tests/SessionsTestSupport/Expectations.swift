package import Media
package import Sessions
internal import Synchronization
package import Testing

/// What a session told, by its weight, in order.
package final class Heard: Sendable {
  private let entries = Mutex<[(Message, Message.Severity)]>([])

  package init() {}

  package func add(_ event: Session.Event) {
    guard case .message(let message, let severity) = event else { return }
    entries.withLock { $0.append((message, severity)) }
  }

  private func all(_ severity: Message.Severity) -> [Message] {
    entries.withLock { $0.filter { $0.1 == severity }.map(\.0) }
  }

  package var notes: [Message] { all(.note) }
  package var warnings: [Message] { all(.warning) }
}

/// What a session tells while `body` makes use of it.
package func heard<Result>(_ body: (Session) throws -> Result) throws -> Heard {
  let heard = Heard()
  _ = try body(Session(onEvent: heard.add))
  return heard
}

/// What a session refuses; another error is an issue.
package func refusal<Result>(
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
package func expectRefusal<Result>(
  _ message: Message, _ kind: FailureKind = .invalidRequest, strict: Bool = false,
  sourceLocation: SourceLocation = #_sourceLocation, _ body: (Session) throws -> Result
) {
  let refusal = refusal(sourceLocation: sourceLocation, body)
  #expect(refusal?.message == message, sourceLocation: sourceLocation)
  #expect(refusal?.kind == kind, sourceLocation: sourceLocation)
  #expect(refusal?.isStrict == strict, sourceLocation: sourceLocation)
}

extension Message {
  /// Its text, with parameters named as in source code.
  package var words: String { text.description }

  /// It has this code, and its text has these parts.
  package func says(_ code: Code, _ parts: String...) -> Bool {
    self.code == code && parts.allSatisfy { words.contains($0) }
  }
}

/// Expects that a session refuses with this code, and that the text has these parts.
package func expectRefusal<Result>(
  _ code: Message.Code, _ parts: String..., kind: FailureKind = .invalidRequest, strict: Bool = false,
  sourceLocation: SourceLocation = #_sourceLocation, _ body: (Session) throws -> Result
) {
  let refusal = refusal(sourceLocation: sourceLocation, body)
  #expect(refusal?.message.code == code, "\(refusal.map { "\($0)" } ?? "nothing")", sourceLocation: sourceLocation)
  #expect(refusal?.kind == kind && refusal?.isStrict == strict, sourceLocation: sourceLocation)
  for part in parts {
    #expect(refusal?.message.words.contains(part) == true, "\(part)", sourceLocation: sourceLocation)
  }
}

/// Expects one warning with this code, whose text has these parts, and no such note.
package func expectWarning<Result>(
  _ code: Message.Code, _ parts: String..., sourceLocation: SourceLocation = #_sourceLocation,
  _ body: (Session) throws -> Result
) throws {
  let heard = try heard(body)
  expectOne(code, parts, among: heard.warnings, not: heard.notes, sourceLocation)
}

/// Expects one note with this code, whose text has these parts, and no such warning.
package func expectNote<Result>(
  _ code: Message.Code, _ parts: String..., sourceLocation: SourceLocation = #_sourceLocation,
  _ body: (Session) throws -> Result
) throws {
  let heard = try heard(body)
  expectOne(code, parts, among: heard.notes, not: heard.warnings, sourceLocation)
}

private func expectOne(
  _ code: Message.Code, _ parts: [String], among found: [Message], not others: [Message],
  _ sourceLocation: SourceLocation
) {
  let said = found.filter { message in message.code == code && parts.allSatisfy(message.words.contains) }
  #expect(said.count == 1, "\(code): \(found)", sourceLocation: sourceLocation)
  #expect(!others.contains { $0.code == code }, sourceLocation: sourceLocation)
}

/// Expects that a session tells just this once as a warning, and not as a note.
package func expectWarning<Result>(
  _ message: Message, sourceLocation: SourceLocation = #_sourceLocation, _ body: (Session) throws -> Result
) throws {
  let heard = try heard(body)
  #expect(heard.warnings.filter { $0 == message }.count == 1, "\(heard.warnings)", sourceLocation: sourceLocation)
  #expect(!heard.notes.contains(message), sourceLocation: sourceLocation)
}

/// Expects that a session tells just this once as a note, and not as a warning.
package func expectNote<Result>(
  _ message: Message, sourceLocation: SourceLocation = #_sourceLocation, _ body: (Session) throws -> Result
) throws {
  let heard = try heard(body)
  #expect(heard.notes.filter { $0 == message }.count == 1, "\(heard.notes)", sourceLocation: sourceLocation)
  #expect(!heard.warnings.contains(message), sourceLocation: sourceLocation)
}
