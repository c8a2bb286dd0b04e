/// Where a chroma sample lies among the luma samples that it belongs to.
///
/// Raw values are `Chroma420SampleLocType` of ITU-T H.273 (07/2021), clause 8.7, figure 1.
public enum ChromaLocation: UInt8, Sendable, Hashable, Codable, CaseIterable {
  case left = 0
  case center = 1
  case topLeft = 2
  case top = 3
  case bottomLeft = 4
  case bottom = 5
}

extension ChromaLocation {
  /// Position of a chroma sample relative to the top left luma sample of its group, in luma samples.
  ///
  /// In 4:2:2 only the horizontal part has a meaning.
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
