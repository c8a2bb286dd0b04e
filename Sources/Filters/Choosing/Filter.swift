/// A filter, written as NAME or NAME=key=value:key=value.
public enum Filter: Sendable, Hashable {
  /// Keeps wide colours and turns the rest grey.
  case highlight(Highlight)
  /// Shows the luminance of the content in named zones.
  case falseColor(FalseColor)
  /// Marks content that the mapping to the display clips or compresses.
  case clipWarning(ClipWarning)
  /// Draws scopes on the picture or beside it.
  case scopes(ScopePanel)

  /// Parses a filter.
  /// - Parameter text: "highlight=gamut=p3:by=range".
  /// - Throws: `FilterFailure`, which lists valid values.
  public init(_ text: String) throws(FilterFailure) {
    let name = text.prefix { $0 != "=" }
    guard let kind = FilterKind.all.first(where: { $0.name == name }) else {
      let names = FilterKind.all.map(\.name).joined(separator: ", ")
      throw FilterFailure("There is no filter '\(name)': use one of \(names).")
    }
    let options = name == text ? nil : text.dropFirst(name.count + 1)
    let arguments = try FilterArguments(options, of: kind)
    self = try kind.make(arguments)
  }

  /// Checks that filters are compatible.
  /// - Throws: `FilterFailure` if filters would hide each other.
  public static func check(_ filters: [Filter]) throws(FilterFailure) {
    var places: Set<ScopePanel.Place> = []
    var painters = 0
    for filter in filters {
      switch filter {
      case .highlight: break
      case .falseColor, .clipWarning: painters += 1
      case .scopes(let panel):
        guard places.insert(panel.place).inserted else {
          throw FilterFailure(
            "Two scopes have place=\(panel.place.rawValue): show both in one with commas, or choose another place.")
        }
      }
    }
    if painters > 1 {
      throw FilterFailure(
        "false-color and clip-warning each paint the whole picture, and one would hide the other: choose one.")
    }
  }

  /// Whether it draws legends or scopes besides changing pixels.
  public var drawsPanel: Bool {
    switch self {
    case .highlight: false
    case .falseColor(let filter): filter.hasLegend
    case .clipWarning(let filter): filter.hasLegend
    case .scopes: true
    }
  }

  /// Whether it changes light, besides drawing over the picture.
  public var changesLight: Bool { if case .scopes = self { false } else { true } }

  /// Whether it visualizes the mapping to a display, and is meaningless without one.
  public var needsMapping: Bool {
    if case .clipWarning = self { return true }
    return false
  }
}

/// The keys and values of a filter text.
struct FilterArguments: Sendable {
  private let filter: String
  private let values: [String: String]

  /// - Parameter text: "key=value:key=value"; nil: none.
  init(_ text: Substring?, of kind: FilterKind) throws(FilterFailure) {
    filter = kind.name
    var values: [String: String] = [:]
    let known = kind.options.map(\.key)
    for pair in text?.split(separator: ":", omittingEmptySubsequences: false) ?? [] {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, known.contains(parts[0]) else {
        throw FilterFailure(
          "'\(pair)' is not an option of \(kind.name): it takes \(known.map { $0 + "=" }.joined(separator: ", ")), "
            + "separated by colons.")
      }
      guard values.updateValue(parts[1], forKey: parts[0]) == nil
      else { throw FilterFailure("\(parts[0])= of \(kind.name) is given twice: keep one.") }
    }
    self.values = values
  }

  func has(_ key: String) -> Bool { values[key] != nil }

  /// Returns a case of an enumeration.
  func choice<Choice: RawRepresentable<String> & CaseIterable>(_ key: String) throws(FilterFailure) -> Choice? {
    guard let text = values[key] else { return nil }
    guard let choice = Choice(rawValue: text)
    else { throw failure(key, text, Choice.allCases.map(\.rawValue).joined(separator: ", ")) }
    return choice
  }

  /// Returns several cases, separated by commas, without duplicates.
  func choices<Choice: RawRepresentable<String> & CaseIterable & Hashable>(
    _ key: String
  ) throws(FilterFailure) -> [Choice]? {
    guard let text = values[key] else { return nil }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let choices = parts.compactMap { Choice(rawValue: String($0)) }
    guard choices.count == parts.count, Set(choices).count == choices.count else {
      throw failure(
        key, text, Choice.allCases.map(\.rawValue).joined(separator: ", ") + ", each once, separated by commas")
    }
    return choices
  }

  func number(_ key: String, in range: ClosedRange<Double>) throws(FilterFailure) -> Double? {
    guard let text = values[key] else { return nil }
    guard let number = Double(text), range.contains(number)
    else { throw failure(key, text, "\(range.lowerBound) to \(range.upperBound)") }
    return number
  }

  func wholeNumber(_ key: String, in range: ClosedRange<Int>) throws(FilterFailure) -> Int? {
    guard let text = values[key] else { return nil }
    guard let number = Int(text), range.contains(number)
    else { throw failure(key, text, "whole numbers from \(range.lowerBound) to \(range.upperBound)") }
    return number
  }

  func flag(_ key: String) throws(FilterFailure) -> Bool? {
    guard let text = values[key] else { return nil }
    guard let flag = ["on": true, "off": false][text] else { throw failure(key, text, "on or off") }
    return flag
  }

  func color(_ key: String) throws(FilterFailure) -> SRGBColor? {
    guard let text = values[key] else { return nil }
    guard let color = SRGBColor(text: text) else {
      throw failure(key, text, "RRGGBB in hexadecimal, or \(SRGBColor.named.keys.sorted().joined(separator: ", "))")
    }
    return color
  }

  private func failure(_ key: String, _ text: String, _ words: String) -> FilterFailure {
    FilterFailure("\(key)= of \(filter) takes \(words), not '\(text)'.")
  }
}
