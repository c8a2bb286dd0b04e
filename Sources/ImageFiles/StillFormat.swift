/// A picture format with a dedicated reader, detected by the first bytes of a file.
enum StillFormat: String, CaseIterable {
  case exr, tiff, heif, jxl
  /// Any JPEG; its reader determines whether it has a gain map.
  case jpeg

  /// Number of bytes that are examined.
  private static let prefixLength = 64

  /// - Returns: nil if it is not a regular file, or of another format.
  init?(path: String) {
    guard let prefix = WholeFile.prefix(of: path, Self.prefixLength) else { return nil }
    self.init(prefix: prefix)
  }

  init?(prefix: [UInt8]) {
    func begins(_ bytes: [UInt8], at offset: Int = 0) -> Bool { prefix.dropFirst(offset).starts(with: bytes) }
    if begins([0x76, 0x2F, 0x31, 0x01]) {
      self = .exr
    } else if begins([0x49, 0x49, 0x2A, 0]) || begins([0x4D, 0x4D, 0, 0x2A]) || begins([0x49, 0x49, 0x2B, 0])
      || begins([0x4D, 0x4D, 0, 0x2B])
    {
      self = .tiff
    } else if begins([0xFF, 0x0A]) || begins(Array("JXL ".utf8), at: 4) {
      self = .jxl
    } else if begins([0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if begins(Array("ftyp".utf8), at: 4), Self.isStillBrand(Array(prefix.dropFirst(8).prefix(4))) {
      self = .heif
    } else {
      return nil
    }
  }

  /// Brands of single pictures; sequences have other brands, and are read as video.
  private static func isStillBrand(_ brand: [UInt8]) -> Bool {
    ["heic", "heix", "mif1", "avif"].map { Array($0.utf8) }.contains(brand)
  }
}
