internal import ConstantColor
internal import Files
internal import Foundation
internal import Frames
internal import Media
internal import Rendering
internal import Sessions

/// The two pictures of a scene, in scene-referred light.
struct ScenePair {
  let ambient: SceneStill
  let flash: SceneStill

  /// Reads two stills concurrently.
  /// - Throws: `Refusal` for pictures that do not form a pair, or the error of a library.
  init(ambient: String, flash: String, pool: WorkerPool, processing: ProcessingRequest) throws {
    if let one = MediaName.path(ambient).flatMap({ FileStatus($0) }),
      let other = MediaName.path(flash).flatMap({ FileStatus($0) }), one.identity == other.identity
    {
      throw Refusal.invalid(
        "pair-of-one-file",
        "\(.ambientPicture) and \(.flashPicture) are the same file, '\(flash)': name two pictures.")
    }
    let stills = try ConcurrentWork.run(
      [ambient, flash].map { name in
        { try SceneStill(reading: name, pool: pool, threads: (processing.threadCount + 1) / 2) }
      })
    (self.ambient, self.flash) = (stills[0], stills[1])
    try check()
  }

  /// The frames of a clip or a device.
  /// - Throws: The error of a library for samples that cannot be read.
  init(_ frames: FlashFrames, _ name: String, pool: WorkerPool) throws {
    let images = try frames.sceneImages(pool: pool)
    let taken = InputRequest(name).isDevice ? Date().timeIntervalSince1970 : nil
    func still(_ image: SceneImage, _ number: Int) -> SceneStill {
      SceneStill(
        name: "\(name), frame \(number)", image: image, orientation: frames.orientation, camera: nil, taken: taken,
        isDisplayReferred: frames.source.isDisplayReferred, white: frames.source.sceneWhite, warnings: [])
    }
    ambient = still(images.ambient, frames.pair.ambient)
    flash = still(images.flash, frames.pair.flash)
  }

  private func check() throws(Refusal) {
    if let one = ambient.camera, let other = flash.camera, one != other {
      throw .failed(.differentCameras(one, other))
    }
    if ambient.orientation != flash.orientation {
      throw .failed(
        "different-rotations",
        "The two files say that the pictures are rotated in different ways: hold the camera the same way for both.")
    }
  }

  /// Warnings about unexpected properties of the pictures.
  var warnings: [Message] {
    let rendered = [ambient, flash].filter(\.isDisplayReferred).map(\.name)
    return ambient.warnings + flash.warnings + rendered.prefix(1).map { .displayReferred($0) }
  }
}
