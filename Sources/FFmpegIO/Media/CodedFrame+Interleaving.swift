package import Frames

/// R'G'B' with the samples of a pixel side by side, as most picture libraries have it.
extension CodedFrame {
  /// Writes row `y` of an R'G'B' frame as R, G, B, R, ...
  /// - Parameters:
  ///   - row: Memory for three samples per pixel.
  ///   - isBigEndian: Samples of 16 bit come with their most significant byte first.
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

  /// Takes row `y` of an R'G'B' frame from R, G, B, R, ...; only before the frame is handed on.
  @unsafe
  package func separate(row y: Int, from row: UnsafeRawPointer) {
    for plane in 0..<3 {
      unsafe withPlane(plane) { view in
        if layout.bytesPerSample == 1 {
          unsafe gather(row, plane, UInt8.self, view.row(y))
        } else {
          unsafe gather(row, plane, UInt16.self, view.row(y))
        }
      }
    }
  }

  /// Place of a plane's sample in a pixel: planes are in the order G, B, R.
  private static let places = [1, 2, 0]

  private func spread<Sample: FixedWidthInteger>(
    _ source: UnsafeMutableRawPointer, _ type: Sample.Type, _ row: UnsafeMutableRawPointer, _ plane: Int,
    _ order: (Sample) -> Sample
  ) {
    let samples = unsafe source.assumingMemoryBound(to: Sample.self)
    let pixels = unsafe row.assumingMemoryBound(to: Sample.self) + Self.places[plane]
    for x in 0..<size.width { unsafe pixels[3 * x] = order(samples[x]) }
  }

  private func gather<Sample: FixedWidthInteger>(
    _ row: UnsafeRawPointer, _ plane: Int, _ type: Sample.Type, _ target: UnsafeMutableRawPointer
  ) {
    let samples = unsafe target.assumingMemoryBound(to: Sample.self)
    let pixels = unsafe row.assumingMemoryBound(to: Sample.self) + Self.places[plane]
    for x in 0..<size.width { unsafe samples[x] = pixels[3 * x] }
  }
}
