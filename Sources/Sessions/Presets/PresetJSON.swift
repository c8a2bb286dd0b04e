internal import Foundation

/// A JSON object whose values are known by the paths of their keys: "mapping.peak".
struct PresetJSON {
  private var object: [String: Any]

  init(data: Data) throws(PresetError) {
    do {
      guard let object = try JSONSerialization.jsonObject(with: data) as? [String: Any] else {
        throw PresetError.isNoJSON(reason: nil)
      }
      self.object = object
    } catch let error as PresetError {
      throw error
    } catch {
      let place = (error as NSError).userInfo["NSDebugDescription"] as? String
      throw .isNoJSON(reason: place?.trimmingCharacters(in: CharacterSet(charactersIn: ". ")))
    }
  }

  private init(_ object: [String: Any]) { self.object = object }

  /// Only values that JSON can represent.
  init(_ request: TranscodeRequest) throws(PresetError) {
    guard let data = try? JSONEncoder().encode(request) else { throw .isNoJSON(reason: nil) }
    try self.init(data: data)
  }

  /// Removes a string.
  /// - Throws: `PresetError.invalidValue` if it is something else.
  mutating func takeText(_ key: String) throws(PresetError) -> String? {
    guard let value = object.removeValue(forKey: key) else { return nil }
    guard let text = value as? String else { throw .invalidValue(key: key, allowed: "it has to be a string") }
    return text
  }

  /// The request of a plan, as `--dry-run --json` prints it, without what belongs to its run; nil: this is no plan.
  /// - Throws: `PresetError.isOtherPlan`.
  func requestOfPlan(without keys: [String]) throws(PresetError) -> PresetJSON? {
    let sealed = object["plan"] as? [String: Any]
    guard let plan = sealed ?? (object["transcode"] as? [String: Any]).map({ ["transcode": $0] }) else { return nil }
    guard let request = (plan["transcode"] as? [String: Any])?["request"] as? [String: Any] else {
      throw .isOtherPlan(plan.keys.sorted().first ?? "")
    }
    return keys.reduce(PresetJSON(request)) { $0.without($1.split(separator: ".").map(String.init)) }
  }

  private func without(_ path: [String]) -> PresetJSON {
    var rest = object
    guard let key = path.first, let value = rest.removeValue(forKey: key) else { return self }
    guard path.count > 1 else { return PresetJSON(rest) }
    let inner = (value as? [String: Any]).map { PresetJSON($0).without(Array(path.dropFirst())).object }
    // What is left without a value cannot be decoded.
    if let inner, !inner.isEmpty { rest[key] = inner }
    return PresetJSON(rest)
  }

  /// Whether a path has a value.
  func has(_ path: String) -> Bool {
    var value: Any = object
    for key in path.split(separator: ".") {
      guard let next = (value as? [String: Any])?[String(key)] else { return false }
      value = next
    }
    return true
  }

  /// Sorted, a key in each line.
  func text(beside other: (key: String, text: String)?) -> String {
    let whole = other.map { object.merging([$0.key: $0.text]) { $1 } } ?? object
    let data = try? JSONSerialization.data(
      withJSONObject: whole, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
    return String(decoding: data ?? Data(), as: UTF8.self)
  }

  /// This object with what another states. Objects are merged key by key, all else is replaced; null takes a value away.
  func merged(with other: PresetJSON) -> PresetJSON { PresetJSON(Self.merged(object, other.object)) }

  private static func merged(_ one: [String: Any], _ other: [String: Any]) -> [String: Any] {
    var result = one
    for (key, value) in other {
      if value is NSNull {
        result[key] = nil
      } else if let old = result[key] as? [String: Any], let new = value as? [String: Any] {
        result[key] = merged(old, new)
      } else {
        result[key] = value
      }
    }
    return result
  }

  /// - Throws: `PresetError.invalidValue` with the path.
  func decoded<Value: Decodable>(as type: Value.Type) throws(PresetError) -> Value {
    do {
      return try JSONDecoder().decode(type, from: JSONSerialization.data(withJSONObject: object))
    } catch let DecodingError.typeMismatch(type, context) {
      throw .invalidValue(key: Self.path(context), allowed: "it has to be \(Self.words(for: type))")
    } catch let DecodingError.valueNotFound(_, context) {
      throw .invalidValue(key: Self.path(context), allowed: "it needs a value")
    } catch let DecodingError.keyNotFound(key, context) where context.codingPath.isEmpty {
      throw .invalidValue(key: key.stringValue, allowed: "it needs a value")
    } catch let DecodingError.keyNotFound(key, context) {
      throw .invalidValue(key: Self.path(context), allowed: "it needs the key '\(key.stringValue)'")
    } catch let DecodingError.dataCorrupted(context) where !context.codingPath.isEmpty {
      throw .invalidValue(key: Self.path(context), allowed: "there is no such value")
    } catch {
      throw .isNoJSON(reason: nil)
    }
  }

  /// "mapping.curve", "streams.map[2].specifier"
  private static func path(_ context: DecodingError.Context) -> String {
    context.codingPath.reduce("") { path, key in
      key.intValue.map { "\(path)[\($0)]" } ?? (path.isEmpty ? key.stringValue : "\(path).\(key.stringValue)")
    }
  }

  private static func words(for type: any Any.Type) -> String {
    switch type {
    case is Bool.Type: "true or false"
    case is String.Type: "a string"
    case is any BinaryInteger.Type: "a whole number"
    case is any BinaryFloatingPoint.Type: "a number"
    case is [Any].Type: "a list"
    default: "an object"
    }
  }

  /// The first path, in alphabetical order, that another object does not have. Values that are null need none.
  func firstKey(missingIn other: PresetJSON) -> String? { Self.missing(object, other.object, "") }

  private static func missing(_ one: Any, _ other: Any?, _ path: String) -> String? {
    if one is NSNull { return nil }
    guard let other else { return path }
    if let one = one as? [String: Any] {
      for key in one.keys.sorted() {
        let inner = path.isEmpty ? key : "\(path).\(key)"
        if let value = one[key], let found = missing(value, (other as? [String: Any])?[key], inner) { return found }
      }
    } else if let one = one as? [Any] {
      let others = other as? [Any] ?? []
      for (index, value) in one.enumerated() {
        let twin = index < others.count ? others[index] : nil
        if let found = missing(value, twin, "\(path)[\(index)]") { return found }
      }
    }
    return nil
  }

  /// The first path, in alphabetical order, whose value is another one in another object, or missing there.
  func firstKey(differingIn other: PresetJSON) -> String? {
    let twins = Dictionary(uniqueKeysWithValues: other.leaves.map { ($0.key, $0.json.text(beside: nil)) })
    return leaves.first { twins[$0.key] != $0.json.text(beside: nil) }?.key
  }

  /// Each value that is no object, by its path, in an object of its own.
  var leaves: [(key: String, json: PresetJSON)] {
    object.keys.sorted().flatMap { key -> [(String, PresetJSON)] in
      guard let inner = object[key] as? [String: Any] else {
        return [(key, PresetJSON([key: object[key] ?? NSNull()]))]
      }
      return PresetJSON(inner).leaves.map { ("\(key).\($0.key)", PresetJSON([key: $0.json.object])) }
    }
  }
}
