/// What a status says about a film: its plan in short.
public struct FilmOutline: Hashable, Sendable {
  /// For people, such as the name of the input.
  public var name: String
  /// What is made of it.
  public var output: String
  /// Frames of every chunk.
  public let frames: [Int]
  /// How long every chunk plays, in seconds.
  public let seconds: [Double]
  /// Of the film; 0 if it has none.
  public var framesPerSecond: Double
  /// In pixels.
  public var width: Int
  /// In pixels.
  public var height: Int
  /// Tries that a chunk may use.
  public var maximumTries: Int

  /// - Parameters:
  ///   - name: For people.
  ///   - output: What is made of it.
  ///   - frames: Of every chunk.
  ///   - seconds: How long every chunk plays; where there is none, 0.
  ///   - framesPerSecond: Of the film; 0 if it has none.
  ///   - width: In pixels.
  ///   - height: In pixels.
  ///   - maximumTries: Tries that a chunk may use, at least 1.
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
