internal import Frames
internal import Sessions

extension GeometryDiagnostic {
  var words: String {
    switch self {
    case .looksForBars(let name): "looking for black bars in '\(name)' first."
    case .cropsBars(let area, let size): "Auto crop: \(Self.bars(around: area, of: size)); \(area) is kept."
    case .cropsNothing(.noBars): "Auto crop: there are no black bars, so nothing is cropped."
    case .cropsNothing(.allBlack): "Auto crop: all frames are black, so nothing is cropped."
    case .cropsNothing(.tooSmall):
      "Auto crop: only a small part of the picture is ever lit, so nothing is cropped: give --crop W:H:X:Y."
    case .cropIsOutside(let area, let size):
      "--crop \(area.argument) lies outside the \(size) picture."
    case .cropIsUneven(let area, let multiples, let byField, let nearest):
      "--crop \(area.argument) cannot be cut out of this video: W and X have to be multiples of \(multiples.width), H and Y "
        + "of \(multiples.height)\(byField ? ", because it is interlaced" : ""). The nearest is \(nearest.argument)"
        + (byField ? "; --deinterlace allows finer steps." : ".")
    case .isProgressive(let name):
      "'\(name)' begins with progressive pictures: --deinterlace leaves these as they are."
    }
  }

  /// "bars of 140 rows at the top and 140 at the bottom".
  private static func bars(around area: PictureArea, of size: Size) -> String {
    func side(_ first: Int, _ last: Int, _ unit: String, _ sides: (String, String)) -> String? {
      switch (first, last) {
      case (0, 0): nil
      case (_, 0): "\(first) \(unit) \(sides.0)"
      case (0, _): "\(last) \(unit) \(sides.1)"
      default: "\(first) \(unit) \(sides.0) and \(last) \(sides.1)"
      }
    }
    let found = [
      side(area.y, size.height - area.maxY, "rows", ("at the top", "at the bottom")),
      side(area.x, size.width - area.maxX, "columns", ("on the left", "on the right")),
    ]
    return "bars of " + found.compactMap(\.self).joined(separator: ", and of ")
  }
}

extension PictureArea {
  /// As `--crop` takes it.
  fileprivate var argument: String { "\(width):\(height):\(x):\(y)" }
}
