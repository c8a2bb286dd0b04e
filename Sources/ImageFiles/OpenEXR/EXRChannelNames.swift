/// The channels that make up a part's picture.
///
/// Source: Technical Introduction to OpenEXR, "Channel Names" and "Layers": a layer's name precedes the channel's,
/// separated by a dot.
struct EXRChannelNames: Sendable, Hashable {
  /// Kinds of channel sets, best first.
  enum Kind: CaseIterable {
    case color, grey, layer
  }

  /// R, G and B; all the same name if the picture is grey.
  let red: String
  let green: String
  let blue: String
  /// nil: all pixels are opaque.
  let alpha: String?

  /// - Parameter names: Channels with a sample for every pixel.
  init?(_ kind: Kind, of names: Set<String>) {
    func alpha(_ prefix: String) -> String? { names.contains(prefix + "A") ? prefix + "A" : nil }
    switch kind {
    case .color:
      guard names.isSuperset(of: ["R", "G", "B"]) else { return nil }
      (red, green, blue) = ("R", "G", "B")
      self.alpha = alpha("")
    case .grey:
      guard names.contains("Y") else { return nil }
      (red, green, blue) = ("Y", "Y", "Y")
      self.alpha = alpha("")
    case .layer:
      let prefixes = names.filter { $0.hasSuffix(".R") }.map { String($0.dropLast()) }.sorted()
      let found = prefixes.first { names.isSuperset(of: [$0 + "R", $0 + "G", $0 + "B"]) }
      guard let found else { return nil }
      (red, green, blue) = (found + "R", found + "G", found + "B")
      self.alpha = alpha(found)
    }
  }

  /// Red, green, blue and alpha.
  var all: [String] { [red, green, blue] + (alpha.map { [$0] } ?? []) }
}
