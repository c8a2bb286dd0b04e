extension EDID {
  /// A video mode.
  public struct Mode: Sendable, Hashable, Codable {
    /// Pixels per line.
    public let width: Int
    /// Lines per frame; both fields if interlaced.
    public let height: Int
    /// Vertical frequency in Hz: frames per second, or fields per second if interlaced.
    public let refreshRate: Double
    /// Whether a frame consists of two fields.
    public let isInterlaced: Bool

    /// Creates a mode from pixels per line, lines per frame and Hz.
    public init(width: Int, height: Int, refreshRate: Double, isInterlaced: Bool = false) {
      self.width = width
      self.height = height
      self.refreshRate = refreshRate
      self.isInterlaced = isInterlaced
    }
  }
}

extension EDID.Mode {
  /// Length of a detailed timing in bytes.
  static let descriptorLength = 18

  /// Reads a descriptor whose pixel clock is not 0; nil if the timing has no active picture.
  ///
  /// Blanking here includes borders, as in EDID 1.3 and nearly all displays: version 1.4 excludes them, but displays
  /// that state both do not comply.
  ///
  /// Source: VESA E-EDID 1.4 (2006), 3.10.2.
  init?(descriptor: Span<UInt8>) {
    let clock = 10_000 * descriptor.integer16(at: 0)
    let width = descriptor[at: 2] | (descriptor[at: 4] & 0xF0) << 4
    let horizontalBlanking = descriptor[at: 3] | (descriptor[at: 4] & 0x0F) << 8
    let lines = descriptor[at: 5] | (descriptor[at: 7] & 0xF0) << 4
    let verticalBlanking = descriptor[at: 6] | (descriptor[at: 7] & 0x0F) << 8
    let isInterlaced = descriptor[at: 17] & 0x80 != 0
    guard width > 0, lines > 0 else { return nil }
    // Two fields share an odd line.
    let total = Double(lines + verticalBlanking) + (isInterlaced ? 0.5 : 0)
    self.init(
      width: width, height: isInterlaced ? 2 * lines : lines,
      refreshRate: Double(clock) / (Double(width + horizontalBlanking) * total), isInterlaced: isInterlaced)
  }
}
