/// Lossless compression of an OpenEXR file.
public enum EXRCompression: String, Sendable, Hashable, Codable, CaseIterable {
  /// Uncompressed.
  case none
  /// Deflate over sixteen rows.
  case zip
  /// Wavelets and Huffman codes over thirty-two rows; smallest with grain.
  case piz
}
