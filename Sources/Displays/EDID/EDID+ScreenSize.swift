extension EDID {
  /// The size of a screen.
  public struct ScreenSize: Sendable, Hashable, Codable {
    /// Width in cm.
    public let width: Double
    /// Height in cm.
    public let height: Double

    /// Creates a size from width and height in cm.
    public init(width: Double, height: Double) {
      self.width = width
      self.height = height
    }
  }
}
