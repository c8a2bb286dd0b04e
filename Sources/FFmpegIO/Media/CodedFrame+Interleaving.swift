package import Frames

/// R'G'B' with interleaved samples, as most image libraries use it.
extension CodedFrame {
  /// Writes row `y` of an R'G'B' frame as R, G, B, R, ...
  /// - Parameter row: Memory for three samples per pixel.
  @unsafe
  package func interleave(row y: Int, to row: UnsafeMutableRawPointer, isBigEndian: Bool = false) {
    for plane in 0..<3 {
      unsafe withPlane(plane) { view in
        if layout.bytesPerSample == 1 {
          unsafe spread(view.row(y), UInt8.self, row, plane) { $0 }
        } else if isBigEndian {
          unsafe spread(view.row(y), UInt16.self, row, plane) { $0.bigEndian }
        } else {
          unsafe spread(view.row(y), UInt16.self, row, plane) { $0 }
        }
      }
    }
  }

  /// Index of a plane's sample in a pixel: planes are in the order G, B, R.
  private static let places = [1, 2, 0]

  private func spread<Sample: FixedWidthInteger>(
    _ source: UnsafeMutableRawPointer, _ type: Sample.Type, _ row: UnsafeMutableRawPointer, _ plane: Int,
    _ order: (Sample) -> Sample
  ) {
    let samples = unsafe source.assumingMemoryBound(to: Sample.self)
    let pixels = unsafe row.assumingMemoryBound(to: Sample.self) + Self.places[plane]
    for x in 0..<size.width { unsafe pixels[3 * x] = order(samples[x]) }
  }
}
