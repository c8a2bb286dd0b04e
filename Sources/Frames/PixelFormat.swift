/// Everything needed to read or write the samples of a coded frame.
public struct PixelFormat: Sendable, Hashable, Codable {
  /// The picture in luma samples.
  public var size: Size
  /// Layout of samples in memory.
  public var layout: PixelLayout
  /// The meaning of the code values.
  public var color: ColorDescription

  /// A format for frames of one size, layout and colour.
  public init(size: Size, layout: PixelLayout, color: ColorDescription) {
    self.size = size
    self.layout = layout
    self.color = color
  }
}

extension CodedFrame {
  /// The format of this frame.
  public var format: PixelFormat { PixelFormat(size: size, layout: layout, color: color) }
}
