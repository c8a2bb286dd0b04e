public import Frames

/// The light of a file or part of it. Light is max(R, G, B) of a pixel in cd/m² on the reference display.
///
/// Source: CTA-861.3-A (2016), annex A, for MaxCLL and MaxFALL.
public struct ContentMeasurement: Sendable, Hashable {
  /// One frame.
  public struct Frame: Sendable, Hashable, Codable {
    /// Presentation time in seconds.
    public var time: Double
    /// Light of the brightest pixel.
    public var peak: Double
    /// Mean light of the picture.
    public var average: Double

    /// Creates a frame; light in cd/m², time in seconds.
    public init(time: Double, peak: Double, average: Double) {
      self.time = time
      self.peak = peak
      self.average = average
    }
  }

  /// The minimum light that a percentage of all pixels of all frames do not exceed.
  public struct Percentile: Sendable, Hashable, Codable {
    /// Percentage of the pixels, 0...100.
    public var percent: Double
    /// The light in cd/m².
    public var nits: Double

    static let reported = [50, 90, 99, 99.9, 99.99]

    /// Creates a percentile from a percentage and cd/m².
    public init(percent: Double, nits: Double) {
      self.percent = percent
      self.nits = nits
    }
  }

  /// Frame size in pixels, including bars.
  public let size: Size
  /// The picture without bars, if they were excluded from averages and percentiles.
  public let activePicture: PictureArea?
  /// Whether every frame of the file was measured, not a selection.
  public let coversFile: Bool
  /// In ascending order: 50, 90, 99, 99.9 and 99.99 percent if measured by Headroom.
  public let percentiles: [Percentile]
  /// The measured frames, at least one.
  public let frames: [Frame]
  /// Index of the first frame with the brightest pixel.
  public let brightestFrame: Int
  /// Index of the first frame with the highest average.
  public let brightestAverageFrame: Int

  /// Creates the results of a measurement.
  /// - Parameters:
  ///   - size: Frame size in pixels, including bars.
  ///   - activePicture: The picture without bars; nil: not detected.
  ///   - coversFile: Whether every frame of the file was measured.
  ///   - percentiles: In ascending order.
  ///   - frames: The measured frames, at least one.
  public init(
    size: Size, activePicture: PictureArea?, coversFile: Bool, percentiles: [Percentile], frames: [Frame]
  ) {
    precondition(!frames.isEmpty)
    self.size = size
    self.activePicture = activePicture
    self.coversFile = coversFile
    self.percentiles = percentiles
    self.frames = frames
    func first(_ light: KeyPath<Frame, Double>) -> Int {
      frames.indices.reduce(0) { frames[$1][keyPath: light] > frames[$0][keyPath: light] ? $1 : $0 }
    }
    brightestFrame = first(\.peak)
    brightestAverageFrame = first(\.average)
  }

  /// Maximum content light level: the brightest pixel of any frame, in cd/m².
  public var maxCLL: Double { frames[brightestFrame].peak }
  /// Maximum frame-average light level: the highest mean of any frame, in cd/m².
  public var maxFALL: Double { frames[brightestAverageFrame].average }

  /// Both, as coded in a stream.
  public var contentLight: ContentLight { ContentLight(roundingUp: maxCLL, maxFALL: maxFALL) }
}
