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
