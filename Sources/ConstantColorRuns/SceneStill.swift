internal import ColorScience
internal import ConstantColor
internal import Files
internal import Foundation
internal import Frames
internal import ImageFiles
internal import Media
internal import Rendering
internal import Sessions

/// A still, or a frame of a clip, as scene-referred light.
struct SceneStill: Sendable {
  /// The file name, or the frame number in it.
  let name: String
  /// The upright image.
  let image: SceneImage
  /// Orientation of the file.
  let orientation: Orientation
  /// Make and model of the camera, if the file states them.
  let camera: String?
  /// Capture time in seconds since 1970, if the file states it.
  let taken: Double?
  /// The camera or other software has rendered the light for a display.
  let isDisplayReferred: Bool
  /// Image light that is shown as white.
  let white: Double
  /// Warnings about how it was read.
  let warnings: [Message]

  /// Exposure stated by the file.
  var exposure: Exposure? { image.description.exposure }

  /// Width in pixels of the picture from which a camera's component balance is measured.
  private static let balanceColumns = 256

  /// Returns the unprocessed light for viewing; 1 is white.
  /// - Parameters:
  ///   - space: RGB space of the result.
  ///   - columns: Maximum width of the result; nil: full size.
  func light(in space: RGBSpace, columns: Int? = nil, pool: WorkerPool) -> LinearFrame {
    let shown = columns.map { image.reduced(toColumns: $0, pool: pool) } ?? image
    let matrix = Matrix3(diagonal: SIMD3(repeating: 1 / white)) * matrix(to: space, pool: pool)
    return shown.linearFrame(by: matrix, pool: pool)
  }

  /// Returns the matrix from the image's components to a colour space whose white is the ambient light.
  ///
  /// Balances sensor light so that its mean is grey.
  private func matrix(to space: RGBSpace, pool: WorkerPool) -> Matrix3 {
    switch image.description.components {
    case .rgb(let own): return RGBSpace.conversion(from: own, to: space)
    case .camera(_, let toXYZ):
      let toSpace = toXYZ.map { space.rgbToXYZ.inverse * $0 } ?? .identity
      let neutral = toSpace.inverse * SIMD3(repeating: 1)
      let balance = neutral / image.reduced(toColumns: Self.balanceColumns, pool: pool).mean
      return toSpace * Matrix3(diagonal: balance / balance.max() * neutral.max())
    }
  }
}

extension SceneStill {
  /// Reads a file: camera raw, or any other picture format.
  /// - Throws: `Refusal`, or the error of a library.
  package init(reading name: String, pool: WorkerPool, threads: Int) throws {
    let path = MediaName.path(name)
    if let raw = try path.flatMap({ try CameraRaw.read($0) }) {
      self.init(raw, name, pool: pool)
    } else {
      try self.init(rendered: name, exif: path.flatMap { try? PictureExif.read($0) }, pool: pool, threads: threads)
    }
  }

  private init(_ raw: CameraRaw, _ name: String, pool: WorkerPool) {
    self.init(
      name: name, image: raw.image.turned(by: raw.orientation, pool: pool), orientation: raw.orientation,
      camera: raw.image.description.components.name, taken: raw.taken, isDisplayReferred: false, white: 1,
      warnings: raw.notes.map { .inputNote($0) })
  }

  private init(rendered name: String, exif: PictureExif?, pool: WorkerPool, threads: Int) throws {
    let input = InputRequest(name)
    if input.isDevice { throw Self.severalFrames(name) }
    let reader = try input.open(threads: threads)
    let frame = try reader.firstFrame(of: FrameSelection())
    _ = try reader.readFrame()
    if try reader.readFrame() != nil { throw Self.severalFrames(name) }
    if let reason = reader.ending?.reason { throw reason }
    if let damage = reader.damage.first { throw Refusal.failed(damage) }
    let source = try SourcePlan(frame: frame, name: name, overrides: input.overrides, use: nil)
    let turn = try GeometryPlan(reader.video, name: name, .upright).orientation
    self.init(
      name: name,
      image: try source.sceneImage(of: frame, orientation: turn, exposure: exif?.exposure, pool: pool),
      orientation: turn, camera: exif?.camera, taken: exif?.taken, isDisplayReferred: source.isDisplayReferred,
      white: source.sceneWhite,
      warnings: reader.colorWarnings + source.warnings)
  }

  private static func severalFrames(_ name: String) -> Refusal {
    .invalid(
      "not-a-still",
      "'\(name)' has several frames: name a still, or take both pictures from it with \(.pairSource).")
  }
}

extension SourcePlan {
  /// The light was rendered for displays by an unknown curve, unlike linear files and HLG, which is scene-referred.
  var isDisplayReferred: Bool { ![.linear, .hlg].contains(color.transfer) }

  /// Scene-referred light of white: SDR white, or for HDR the reference white or 75 % of HLG.
  ///
  /// Source: ITU-R BT.2408-7, 2.1.
  var sceneWhite: Double {
    switch color.transfer {
    case .pq: metadata.referenceWhite / PQ.peak
    case .hlg: HLG.inverseOETF(0.75)
    default: 1
    }
  }

  /// Returns the conversion of frames read with this plan to scene-referred light.
  /// - Parameter format: Format of the frames, before overrides.
  /// - Throws: The error of a library for samples that cannot be read.
  func sceneConversion(of format: PixelFormat, pool: WorkerPool) throws -> SceneConversion {
    do {
      return try SceneConversion(reading(format), pool: pool)
    } catch .rendering(let error) {
      throw error
    }
  }

  /// Returns a summarizer for frames read with this plan.
  /// - Parameter format: Format of the frames, before overrides.
  /// - Throws: The error of a library for samples that cannot be read.
  func frameSummarizer(of format: PixelFormat, pool: WorkerPool) throws -> FrameSummarizer {
    do {
      return try FrameSummarizer(reading(format), pool: pool)
    } catch .rendering(let error) {
      throw error
    }
  }

  /// Returns the scene-referred light of a decoded frame or still.
  ///
  /// - Parameters:
  ///   - frame: The frame as read, before overrides.
  ///   - orientation: Rotation of the picture.
  ///   - exposure: Exposure stated by the file.
  /// - Throws: The error of a library for samples that cannot be read.
  func sceneImage(
    of frame: CodedFrame, orientation: Orientation = .identity, exposure: Exposure? = nil, pool: WorkerPool
  ) throws -> SceneImage {
    try sceneConversion(of: frame.format, pool: pool)
      .image(of: frame.described(as: color), orientation: orientation, exposure: exposure)
  }
}

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
