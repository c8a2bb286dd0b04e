internal import ColorScience
internal import Frames

extension PatternSketch {
  /// Draws the title line (pattern name, values, picture size and kind of signal) and a mark that reveals rotation and
  /// mirroring.
  mutating func title(_ name: String, _ values: String..., in part: LayoutArea = LayoutArea(0.008, 0.012, 0.98, 0.052))
  {
    let range = signal.range == .full ? " full range" : ""
    let words = [name] + values + ["\(canvas.size)", signal.kind.title + range]
    let area = canvas.area(LayoutArea(part.left + 0.027, part.top, part.right, part.bottom))
    drawing.labels.append(.init(words.joined(separator: "  "), area: area, alignment: .leading, signal: ink))
    mark(LayoutArea(part.left, part.top, part.left + 0.02, part.bottom))
  }

  /// An inverted L in the top-left corner: no rotation or mirroring leaves it unchanged.
  mutating func mark(_ part: LayoutArea) {
    guard canvas.hasLabels else { return }
    let area = canvas.area(part)
    let stroke = max(min(area.width, area.height) / 6, 1)
    let (width, height) = (max(area.width, 2), max(area.height, 3))
    drawing.elements.append(
      .init(PictureArea(x: area.x, y: area.y, width: width, height: stroke), .flat(ink)))
    drawing.elements.append(
      .init(PictureArea(x: area.x, y: area.y, width: stroke, height: height), .flat(ink)))
  }
}

extension PatternSignal.Kind {
  /// The user-visible name.
  fileprivate var title: String {
    switch self {
    case .hdr10: "HDR10 PQ"
    case .hlg: "HLG"
    case .sdr: "SDR BT.709"
    case .bt601x525: "SDR BT.601 525"
    case .bt601x625: "SDR BT.601 625"
    case .sRGB: "sRGB"
    }
  }
}
