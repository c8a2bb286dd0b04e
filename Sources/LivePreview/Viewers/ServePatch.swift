internal import Foundation
internal import Scopes
internal import Sessions
internal import ToneMapping

/// Changes requested by a client: the members of a JSON object.
package struct ServePatch: Sendable, Hashable {
  /// Resets everything to the initial state before other changes.
  package private(set) var resets = false
  /// Changes of the view.
  package private(set) var settings: [PreviewView.Setting] = []
  package private(set) var isPaused: Bool?
  /// Frames to advance while paused.
  package private(set) var steps: Int?
  /// Seek position in seconds from the start.
  package private(set) var position: Double?
  package private(set) var isRecording: Bool?

  /// A JSON value of a type that patches use.
  private enum Value: Decodable {
    case null, bool(Bool), number(Double), string(String), other

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      if value.decodeNil() {
        self = .null
      } else if let bool = try? value.decode(Bool.self) {
        self = .bool(bool)
      } else if let number = try? value.decode(Double.self) {
        self = .number(number)
      } else if let string = try? value.decode(String.self) {
        self = .string(string)
      } else {
        self = .other
      }
    }
  }

  /// - Parameter text: A JSON object.
  package init(_ text: String) throws(ClientError) {
    guard let members = try? JSONDecoder().decode([String: Value].self, from: Data(text.utf8)) else {
      throw ClientError(description: "The body is not a JSON object.")
    }
    // In an order independent of the members' order.
    for name in members.keys.sorted() { try add(name, members[name] ?? .null) }
    if isPaused == false, steps != nil {
      throw ClientError(description: "'step' is for a pause, which 'paused' ends: leave one of them out.")
    }
  }

  private mutating func add(_ name: String, _ value: Value) throws(ClientError) {
    switch name {
    case "reset": resets = try Self.bool(name, value)
    case "paused": isPaused = try Self.bool(name, value)
    case "recording": isRecording = try Self.bool(name, value)
    case "edr": settings.append(.edr(try Self.bool(name, value)))
    case "highlight": settings.append(.highlight(try Self.bool(name, value)))
    case "false_color": settings.append(.falseColor(try Self.bool(name, value)))
    case "clip_warning": settings.append(.clipWarning(try Self.bool(name, value)))
    case "step":
      let count = try Self.number(name, value, 1...1000)
      guard let count = Int(exactly: count) else { throw ClientError(description: "'step' takes whole frames.") }
      steps = count
    case "position": position = try Self.number(name, value, 0...1e6)
    case "exposure": settings.append(.exposure(try Self.number(name, value, -10...10)))
    case "headroom": settings.append(.headroom(try Self.optional(name, value, 1...400)))
    case "sdr_white": settings.append(.sdrWhite(try Self.optional(name, value, 1...10_000)))
    case "curve":
      settings.append(.curve(try Self.choice(name, value, ToneCurve.all.map(\.name)).flatMap(ToneCurve.named)))
    case "scopes":
      let kinds = ScopeKind.allCases.map(\.rawValue)
      settings.append(.scope(try Self.choice(name, value, kinds).flatMap(ScopeKind.init)))
    default: throw ClientError(description: "There is no member '\(name)' that can be changed.")
    }
  }

  private static func bool(_ name: String, _ value: Value) throws(ClientError) -> Bool {
    guard case .bool(let bool) = value else { throw ClientError(description: "'\(name)' takes true or false.") }
    return bool
  }

  private static func number(_ name: String, _ value: Value, _ range: ClosedRange<Double>) throws(ClientError) -> Double
  {
    guard case .number(let number) = value, range.contains(number) else {
      throw ClientError(
        description: "'\(name)' takes a number from \(range.lowerBound.words) to \(range.upperBound.words).")
    }
    return number
  }

  private static func optional(
    _ name: String, _ value: Value, _ range: ClosedRange<Double>
  ) throws(ClientError) -> Double? {
    if case .null = value { return nil }
    return try number(name, value, range)
  }

  private static func choice(_ name: String, _ value: Value, _ names: [String]) throws(ClientError) -> String? {
    if case .null = value { return nil }
    guard case .string(let choice) = value, names.contains(choice) else {
      throw ClientError(description: "'\(name)' takes \(names.joined(separator: ", ")), or null.")
    }
    return choice
  }
}
