internal import Foundation
internal import ProcessLink
internal import Sessions

/// What a process that converts a film is told.
enum FilmCommand: Sendable, Hashable, Codable {
  case convert(FilmOrder)
  case cancel
}

/// What it answers.
enum FilmAnswer: Sendable, Hashable, Codable {
  case event(FilmEvent)
  case result(FilmResult)
}

/// A message that is nothing but JSON.
struct JSONMessage<Value: Codable & Sendable>: LinkMessage {
  let value: Value

  init(_ value: Value) { self.value = value }

  /// A report has a line for each stream.
  static var largest: Int { 64 << 20 }

  var kindAndValues: (kind: UInt8, json: [UInt8], bytes: [UInt8]) {
    get throws(LinkError) { (0, try LinkValues.encode(value), []) }
  }

  init(kind: UInt8, json: [UInt8], bytes: [UInt8]) throws(LinkError) {
    guard kind == 0 else { throw .hasUnknownKind(kind) }
    value = try LinkValues.decode(Value.self, json)
  }
}

/// The end of the process that has the library.
typealias LibraryLink = LinkChannel<JSONMessage<FilmCommand>, JSONMessage<FilmAnswer>>
/// The end of the process that converts a film.
typealias FilmLink = LinkChannel<JSONMessage<FilmAnswer>, JSONMessage<FilmCommand>>
