/// The position of a chroma sample relative to its luma samples.
///
/// Raw values are `Chroma420SampleLocType` of ITU-T H.273 (07/2021), clause 8.7, figure 1.
public enum ChromaLocation: UInt8, Sendable, Hashable, Codable, CaseIterable {
  /// Chroma420SampleLocType 0: on the left luma column, halfway between two rows, as in MPEG-2; the default.
  case left = 0
  /// Chroma420SampleLocType 1: in the middle of four luma samples, as in MPEG-1 and JPEG.
  case center = 1
  /// Chroma420SampleLocType 2: on the top-left luma sample, as in BT.2020 and BT.2100.
  case topLeft = 2
  /// Chroma420SampleLocType 3: on the top luma row, halfway between two columns.
  case top = 3
  /// Chroma420SampleLocType 4: on the bottom left luma sample.
  case bottomLeft = 4
  /// Chroma420SampleLocType 5: on the bottom luma row, halfway between two columns.
  case bottom = 5
}

extension ChromaLocation {
  /// Position of a chroma sample relative to the top left luma sample of its group, in luma samples.
  ///
  /// In 4:2:2 only the horizontal part is meaningful.
  /// Source: ITU-T H.273 (07/2021), figure 1.
  public var offset: SIMD2<Double> {
    switch self {
    case .left: SIMD2(0, 0.5)
    case .center: SIMD2(0.5, 0.5)
    case .topLeft: SIMD2(0, 0)
    case .top: SIMD2(0.5, 0)
    case .bottomLeft: SIMD2(0, 1)
    case .bottom: SIMD2(0.5, 1)
    }
  }
}
