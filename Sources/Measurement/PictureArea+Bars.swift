internal import Frames

extension PictureArea {
  /// Rows and columns at the edges that never have more light than this, in cd/m², are bars. It is 55 ten-bit codes above
  /// the black of PQ, 33 of HLG and 49 of SDR: the noise that encoders leave on black stays below.
  static let blackThreshold = 0.1

  /// The picture without its bars; the whole one where all of it is black.
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
