/// Metadata that changes from frame to frame.
public enum DynamicMetadata: String, Sendable, Hashable, Codable {
  /// SMPTE ST 2094-40.
  case hdr10Plus = "HDR10+"
  /// SMPTE ST 2094-50.
  case adaptiveToneMap = "ST 2094-50"
}
