/// How the pixels of an OpenEXR file are packed, always without loss.
public enum EXRCompression: String, Sendable, Hashable, Codable, CaseIterable {
  /// As they are.
  case none
  /// Deflate over sixteen rows.
  case zip
  /// Wavelets and Huffman codes over thirty-two rows; smallest with grain.
  case piz
}
