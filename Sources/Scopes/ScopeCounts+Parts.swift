package import Frames

extension ScopeCounts {
  /// Counts that were made elsewhere; each list is empty or as long as `ScopeCounts` says.
  package init(
    size: Size, columns: Int, luminance: [UInt16] = [], red: [UInt16] = [], green: [UInt16] = [],
    blue: [UInt16] = [], vectors: [UInt32] = [], chromaticities: [UInt32] = []
  ) {
    self.init(size: size, columns: columns)
    (self.luminance, self.red, self.green, self.blue) = (luminance, red, green, blue)
    (self.vectors, self.chromaticities) = (vectors, chromaticities)
  }
}
