/// The outline of a film's plan for its status.
public struct FilmOutline: Hashable, Sendable {
  /// A display name, such as the name of the input.
  public var name: String
  /// The output.
  public var output: String
  /// The number of frames of each chunk.
  public let frames: [Int]
  /// The duration of each chunk in seconds.
  public let seconds: [Double]
  /// The frame rate; 0 if the film has none.
  public var framesPerSecond: Double
  /// Width in pixels.
  public var width: Int
  /// Height in pixels.
  public var height: Int
  /// Maximum number of tries per chunk.
  public var maximumTries: Int

  /// - Parameters:
  ///   - name: A display name.
  ///   - output: The output.
  ///   - frames: The number of frames of each chunk.
  ///   - seconds: The duration of each chunk; 0 for a missing one.
  ///   - framesPerSecond: The frame rate; 0 if the film has none.
  ///   - width: Width in pixels.
  ///   - height: Height in pixels.
  ///   - maximumTries: Maximum number of tries per chunk, at least 1.
  public init(
    name: String, output: String, frames: [Int], seconds: [Double], framesPerSecond: Double, width: Int, height: Int,
    maximumTries: Int
  ) {
    self.name = name
    self.output = output
    self.frames = frames.map { min(max($0, 0), PieceRecord.mostFrames) }
    self.seconds = frames.indices.map { index in
      guard seconds.indices.contains(index), seconds[index].isFinite else { return 0 }
      return min(max(seconds[index], 0), 1e9)
    }
    self.framesPerSecond = framesPerSecond.isFinite ? framesPerSecond : 0
    self.width = width
    self.height = height
    self.maximumTries = max(maximumTries, 1)
  }
}
