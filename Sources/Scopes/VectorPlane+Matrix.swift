internal import ColorScience

extension VectorPlane {
  /// What makes Y'CbCr of R'G'B': BT.2020's luma for its primaries, BT.709's for all others.
  ///
  /// Source: ITU-R BT.2100-2, table 6; BT.709-6, items 3.2 and 3.3.
  static func matrix(for primaries: RGBSpace) -> YCbCrMatrix { primaries == .bt2020 ? .bt2020 : .bt709 }
}
