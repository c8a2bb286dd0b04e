public import ArgumentParser
public import FFmpegIO

extension PictureScaling: ExpressibleByArgument {
  /// "1280x720"; "1280x-2" or "-1x720" where one extent follows from the other, -2 rounded to an even number.
  public init?(argument: String) {
    let extents = argument.split(separator: "x", omittingEmptySubsequences: false).map(Self.extent)
    guard extents.count == 2, let width = extents[0], let height = extents[1] else { return nil }
    self.init(width: width, height: height)
  }

  private static func extent(_ text: Substring) -> Extent? {
    switch text {
    case "-1": .ratio(multiple: 1)
    case "-2": .ratio(multiple: 2)
    default: text.allSatisfy(\.isASCIIDigit) ? Int(text).map(Extent.samples) : nil
    }
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}
