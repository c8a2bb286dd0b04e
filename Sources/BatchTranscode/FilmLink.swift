internal import Foundation
internal import ProcessLink
internal import Sessions

/// A command to the process that converts a film.
enum FilmCommand: Sendable, Hashable, Codable {
  case convert(FilmOrder)
  case cancel
}

/// An answer from the process that converts a film.
enum FilmAnswer: Sendable, Hashable, Codable {
  case event(FilmEvent)
  case result(FilmResult)
}

/// A message that consists of JSON only.
struct JSONMessage<Value: Codable & Sendable>: LinkMessage {
  let value: Value

  init(_ value: Value) { self.value = value }

  /// Maximum size in bytes: a report has a line for each stream.
  static var largest: Int { 64 << 20 }

  var kindAndValues: (kind: UInt8, json: [UInt8], bytes: [UInt8]) {
    get throws(LinkError) { (0, try LinkValues.encode(value), []) }
  }

  init(kind: UInt8, json: [UInt8], bytes: [UInt8]) throws(LinkError) {
    guard kind == 0 else { throw .hasUnknownKind(kind) }
    value = try LinkValues.decode(Value.self, json)
  }
}

/// The library's end of the link.
typealias LibraryLink = LinkChannel<JSONMessage<FilmCommand>, JSONMessage<FilmAnswer>>
/// The end of the link in the process that converts a film.
typealias FilmLink = LinkChannel<JSONMessage<FilmAnswer>, JSONMessage<FilmCommand>>
