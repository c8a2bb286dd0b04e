public import Frames
public import Media

/// How the picture is scaled and turned.
public struct GeometryPlan: Sendable, Hashable, Codable {
  /// What pictures are scaled by before they are turned; nil: not at all.
  public let scaling: PictureScaling?
  /// How pixels are turned.
  public let orientation: Orientation
  /// What is left for the player to turn.
  public let displayMatrix: DisplayMatrix?
  /// Width of a sample to its height in the output; nil where it is unknown.
  public let sampleAspectRatio: Rational?

  /// - Parameters:
  ///   - video: The stream that is read.
  ///   - name: Of the input.
  ///   - bakesRotation: The pixels are turned; else the player is told to.
  ///   - scale: Size of the output.
  init(_ video: VideoStreamInfo, name: String, bakesRotation: Bool, scale: PictureScaling?) throws(Refusal) {
    var orientation = Orientation.identity
    if bakesRotation, let matrix = video.displayMatrix {
      guard let turn = matrix.orientation else {
        throw .failed(.input(.cannotBeTurned(name: name, degrees: video.rotation)))
      }
      orientation = turn
    }
    self.orientation = orientation
    displayMatrix = bakesRotation ? nil : video.displayMatrix
    // What is asked for is the size of the output.
    let scaling = orientation.swapsAxes ? scale?.transposed : scale
    self.scaling = scaling
    let ratio =
      scaling.map { $0.sampleAspectRatio(video.sampleAspectRatio, of: video.size) } ?? video.sampleAspectRatio
    sampleAspectRatio = ratio.map(orientation.turned(sampleAspectRatio:))
  }

  /// What is done: "scaled and turned"; nil: nothing.
  public var steps: String? {
    let steps = [scaling == nil ? nil : "scaled", orientation == .identity ? nil : "turned"].compactMap(\.self)
    return steps.isEmpty ? nil : steps.joined(separator: " and ")
  }
}
