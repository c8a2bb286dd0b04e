/// Where a chroma sample lies among the luma samples that it belongs to.
///
/// Raw values are `Chroma420SampleLocType` of ITU-T H.273 (07/2021), clause 8.7, figure 1.
public enum ChromaLocation: UInt8, Sendable, Hashable, CaseIterable {
  case left = 0
  case center = 1
  case topLeft = 2
  case top = 3
  case bottomLeft = 4
  case bottom = 5
}
