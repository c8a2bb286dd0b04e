internal import Frames

/// The `ImageDescription` of files written by Headroom: the colour space and, for linear light, its unit.
///
/// "Color space: extendedLinearITUR_2020; 1.0 is 203.0 cd/m2"
enum TIFFDescription {
  private static let start = "Color space: "
  private static let unit = "; 1.0 is "
  private static let end = " cd/m2"

  /// - Returns: nil for an unnamed space.
  static func text(of color: ColorDescription, linearUnit: Double?) -> String? {
    let space = ImageSpace.all.first { $0.primaries == color.primaries && $0.transfer == color.transfer }
    guard let space else { return nil }
    guard space.isLinear, let linearUnit else { return start + space.name }
    return start + space.name + unit + "\(linearUnit)" + end
  }

  /// - Returns: nil for other texts.
  static func parse(_ text: String) -> (space: ImageSpace, linearUnit: Double?)? {
    guard text.hasPrefix(start) else { return nil }
    let rest = text.dropFirst(start.count)
    let name = rest.prefix { $0 != ";" }
    guard let space = ImageSpace.named(String(name)) else { return nil }
    let tail = rest.dropFirst(name.count)
    guard space.isLinear, tail.hasPrefix(unit), tail.hasSuffix(end),
      let value = Double(tail.dropFirst(unit.count).dropLast(end.count)), value.isFinite, value > 0
    else { return (space, nil) }
    return (space, value)
  }
}
