internal import ColorScience
internal import ConstantColor
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
}
