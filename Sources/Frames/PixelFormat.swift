/// Everything that must be known to read or write the samples of a coded frame.
public struct PixelFormat: Sendable, Hashable, Codable {
  public var size: Size
  public var layout: PixelLayout
  public var color: ColorDescription

  public init(size: Size, layout: PixelLayout, color: ColorDescription) {
    self.size = size
    self.layout = layout
    self.color = color
  }
}

extension CodedFrame {
  public var format: PixelFormat { PixelFormat(size: size, layout: layout, color: color) }
}
