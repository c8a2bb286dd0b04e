internal import Frames

/// Combines the light of frames, in order.
public struct ContentLightAccumulator: Sendable {
  private var size: Size?
  private var histogram: LightHistogram?
  private var rowMaxima: [UInt16] = []
  private var columnMaxima: [UInt16] = []
  private var frames: [Sum] = []

  /// A frame, whose average depends on the active picture.
  private struct Sum: Sendable {
    var time: Double
    var peak: Double
    var sum: Double
  }

  /// No frames.
  public init() {}

  /// Adds a frame of the same size as the previous ones.
  /// - Parameters:
  ///   - light: The measured light.
  ///   - time: When it is shown, in seconds.
  public mutating func add(_ light: FrameLight, time: Double) {
    precondition(size == nil || size == light.size)
    frames.append(Sum(time: time.isFinite ? time : 0, peak: light.peak, sum: light.histogram.sum))
    guard histogram != nil else {
      (size, histogram) = (light.size, light.histogram)
      (rowMaxima, columnMaxima) = (light.rowMaxima, light.columnMaxima)
      return
    }
    histogram?.merge(light.histogram)
    for y in rowMaxima.indices { rowMaxima[y] = max(rowMaxima[y], light.rowMaxima[y]) }
    for x in columnMaxima.indices { columnMaxima[x] = max(columnMaxima[x], light.columnMaxima[x]) }
  }

  /// The result; nil without frames.
  /// - Parameters:
  ///   - excludesLetterbox: Bars are excluded from averages and percentiles. Bars are rows and columns at the edges
  ///     that are black in every frame; their little light stays in the sums, and the darkest pixels of the file are
  ///     removed in their place.
  ///   - coversFile: The frames are all frames of the file.
  public func measurement(excludesLetterbox: Bool, coversFile: Bool) -> ContentMeasurement? {
    guard let size, var histogram else { return nil }
    var area = PictureArea(size)
    if excludesLetterbox {
      let nits = { (level: UInt16) in Double(Float16(bitPattern: level)) * histogram.nitsPerUnit }
      area = PictureArea(rowMaxima: rowMaxima.map(nits), columnMaxima: columnMaxima.map(nits))
    }
    let pixels = area.width * area.height
    histogram.removeDarkest((size.width * size.height - pixels) * frames.count)
    return ContentMeasurement(
      size: size, activePicture: excludesLetterbox ? area : nil, coversFile: coversFile,
      percentiles: ContentMeasurement.Percentile.reported.map {
        ContentMeasurement.Percentile(percent: $0, nits: histogram.percentile($0))
      },
      frames: frames.map {
        ContentMeasurement.Frame(time: $0.time, peak: $0.peak, average: $0.sum / Double(max(pixels, 1)))
      })
  }
}

extension PictureArea {
  /// Rows and columns at the edges that never have more light than this, in cd/m², are bars. It is 55 ten-bit codes above
  /// the black of PQ, 33 of HLG and 49 of SDR: the noise that encoders leave on black stays below.
  static let blackThreshold = 0.1

  /// The picture without its bars; the whole picture if all of it is black.
  /// - Parameters: The most light of each row and column in any frame, in cd/m².
  init(rowMaxima: [Double], columnMaxima: [Double]) {
    let isLit = { (nits: Double) in nits > Self.blackThreshold }
    guard let top = rowMaxima.firstIndex(where: isLit), let bottom = rowMaxima.lastIndex(where: isLit),
      let left = columnMaxima.firstIndex(where: isLit), let right = columnMaxima.lastIndex(where: isLit)
    else {
      self.init(x: 0, y: 0, width: columnMaxima.count, height: rowMaxima.count)
      return
    }
    self.init(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
  }
}
