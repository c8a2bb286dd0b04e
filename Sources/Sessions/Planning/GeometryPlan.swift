public import Frames
public import Media

/// How the picture is scaled and rotated.
public struct GeometryPlan: Sendable, Hashable, Codable {
  /// Scaling before the rotation; nil: none.
  public let scaling: PictureScaling?
  /// How pixels are rotated.
  public let orientation: Orientation
  /// Rotation that is left to the player.
  public let displayMatrix: DisplayMatrix?
  /// Sample aspect ratio of the output; nil: unknown.
  public let sampleAspectRatio: Rational?

  /// - Parameters:
  ///   - video: The stream that is read.
  ///   - name: Name of the input.
  ///   - bakesRotation: Whether pixels are rotated; otherwise the player does it.
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
    // The requested size is that of the output.
    let scaling = orientation.swapsAxes ? scale?.transposed : scale
    self.scaling = scaling
    let ratio =
      scaling.map { $0.sampleAspectRatio(video.sampleAspectRatio, of: video.size) } ?? video.sampleAspectRatio
    sampleAspectRatio = ratio.map(orientation.rotated(sampleAspectRatio:))
  }

  /// What is done: "scaled and turned"; nil: nothing.
  public var steps: String? {
    let steps = [scaling == nil ? nil : "scaled", orientation == .identity ? nil : "rotated"].compactMap(\.self)
    return steps.isEmpty ? nil : steps.joined(separator: " and ")
  }
}
