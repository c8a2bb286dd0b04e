/// The channels of a part that are its picture.
///
/// Source: Technical Introduction to OpenEXR, "Channel Names" and "Layers": a layer's name goes before the channel's,
/// with a dot between them.
struct EXRChannelNames: Sendable, Hashable {
  /// Where a picture may be, best first.
  enum Kind: CaseIterable {
    case color, grey, layer
  }

  /// Of R, G and B; the same name thrice where the picture is grey.
  let red: String
  let green: String
  let blue: String
  /// nil: no pixel is transparent.
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
