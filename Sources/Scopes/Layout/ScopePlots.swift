internal import Frames

/// The plot areas inside a scope, in points; the rest is for title and labels.
struct ScopePlots {
  let areas: [PictureArea]

  /// Height of the title line, and of the label line below a plot.
  static let (titleBand, footer) = (34, 24)
  /// Height of one of the two lines of marks above a histogram.
  static let flagBand = 14

  init(kind: ScopeKind, cell: PictureArea) {
    // Long labels are used if the plot keeps more than half of the width.
    let marks = cell.width >= 420 ? 124 : 52
    switch kind {
    case .waveform, .parade:
      let panels = kind == .parade ? 3 : 1
      let box = cell.inset(left: 54, top: Self.titleBand, right: marks, bottom: Self.footer)
      let gap = 6
      let width = (box.width - gap * (panels - 1)) / panels
      areas = (0..<panels).map {
        PictureArea(x: box.x + $0 * (width + gap), y: box.y, width: width, height: box.height)
      }
    case .histogram:
      let box = cell.inset(left: 30, top: Self.titleBand + 2 * Self.flagBand - 4, right: 28, bottom: Self.footer)
      let gap = 4
      let height = (box.height - 3 * gap) / 4
      areas = (0..<4).map {
        PictureArea(x: box.x, y: box.y + $0 * (height + gap), width: box.width, height: height)
      }
    case .vectorscope:
      areas = [Self.square(in: cell.inset(left: 12, top: Self.titleBand, right: 12, bottom: Self.footer))]
    case .chromaticity:
      areas = [Self.square(in: cell.inset(left: 38, top: Self.titleBand, right: 14, bottom: Self.footer))]
    }
  }

  /// The largest square, centred.
  private static func square(in area: PictureArea) -> PictureArea {
    let side = min(area.width, area.height)
    return PictureArea(
      x: area.x + (area.width - side) / 2, y: area.y + (area.height - side) / 2, width: side, height: side)
  }
}

extension PictureArea {
  fileprivate func inset(left: Int, top: Int, right: Int, bottom: Int) -> PictureArea {
    PictureArea(x: x + left, y: y + top, width: width - left - right, height: height - top - bottom)
  }
}
