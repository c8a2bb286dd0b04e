internal import FFmpegIO
internal import Frames

/// How the picture is scaled and turned.
struct GeometryPlan {
  /// What pictures are scaled by before they are turned; nil: not at all.
  let scaling: PictureScaling?
  let orientation: Orientation
  /// What is left for the player to turn.
  let displayMatrix: DisplayMatrix?
  let sampleAspectRatio: Rational?

  /// - Parameters:
  ///   - video: The stream that is read.
  ///   - path: For messages.
  ///   - bakesRotation: The pixels are turned; else the player is told to.
  ///   - scale: Size of the output.
  init(_ video: VideoStreamInfo, path: String, bakesRotation: Bool, scale: PictureScaling?) throws {
    var orientation = Orientation.identity
    if bakesRotation, let matrix = video.displayMatrix {
      guard let turn = matrix.orientation else {
        throw CommandFailure(
          "'\(path)' is to be shown rotated by \(video.rotation.words)°, which is no quarter turn and no mirroring: "
            + "transcode without --bake-rotation leaves it to the player, dump with --no-bake-rotation as it is.")
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
  var words: String? {
    let steps = [scaling == nil ? nil : "scaled", orientation == .identity ? nil : "turned"].compactMap(\.self)
    return steps.isEmpty ? nil : steps.joined(separator: " and ")
  }
}
