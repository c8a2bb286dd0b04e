public import Frames
internal import Rendering

/// The light of one frame.
public struct FrameLight: Sendable, Hashable {
  public let size: Size
  /// max(R, G, B) of every pixel.
  public let histogram: LightHistogram
  /// The most light in each row and in each column, as bits of half floats in the histogram's unit.
  let rowMaxima: [UInt16]
  let columnMaxima: [UInt16]

  /// The most light of any pixel in cd/m².
  public var peak: Double { histogram.maximum }
  /// The mean of max(R, G, B) over all pixels in cd/m².
  public var average: Double { histogram.mean }
}
