internal import ColorScience
internal import Foundation
internal import Frames
internal import ImageFiles
internal import Media
internal import Rendering
internal import Sessions
internal import ToneMapping

/// Two pictures of one frame: a PNG of the rendered picture, and an OpenEXR of the input's light.
struct Snapshot: Sendable {
  /// The rendered picture.
  let shown: CodedFrame
  /// Linear light in BT.2020.
  let light: CodedFrame

  /// - Parameters:
  ///   - shown: The picture rendered for a screen.
  ///   - frame: The input frame from which it was rendered.
  /// - Throws: `RenderingError` if its light cannot be read.
  init(
    shown: CodedFrame, _ frame: CodedFrame, _ source: SourcePlan, _ orientation: Orientation, tier: KernelTier,
    pool: WorkerPool
  ) throws {
    self.shown = shown
    light = try Self.light(of: frame, source, orientation, tier: tier, pool: pool)
  }

  /// Returns the light of an input frame, linear in BT.2020.
  /// - Throws: `RenderingError` if its light cannot be read.
  static func light(
    of frame: CodedFrame, _ source: SourcePlan, _ orientation: Orientation, tier: KernelTier, pool: WorkerPool
  ) throws -> CodedFrame {
    let encoding = OutputEncoding.decoded(
      source.interpretation, in: .linearBT2020, gamut: .clip, sdrWhite: EDRMetadata.defaultOpticalOutputScale)
    let format = ImageFormat.exr.pixelFormat(orientation.rotated(frame.size), in: .linearBT2020)
    let renderer = try FrameRenderer(
      source: FrameRenderer.Endpoint(
        format: source.reading(frame.format), transfer: source.interpretation.transfer),
      stages: encoding.rendering.stages(for: nil),
      target: FrameRenderer.Endpoint(format: format, transfer: encoding.transfer), orientation: orientation, tier: tier,
      pool: pool)
    var metadata = HDRMetadata()
    metadata.linearUnit = encoding.unit
    let light = CodedFrame(
      size: format.size, layout: format.layout, color: format.color, time: frame.time, metadata: metadata)
    try renderer.render(frame.described(as: source.color), into: light)
    return light
  }

  /// Writes both files under unused names.
  /// - Returns: Their names.
  func write(to folder: String, now: Date = Date()) throws -> [String] {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.dateFormat = "yyyyMMdd-HHmmss-SSS"
    let stem = (folder == "." ? "" : folder + "/") + "headroom-\(formatter.string(from: now))"
    let picture = shown.deepened(to: shown.layout.bitDepth == 8 ? 8 : 16)
    let tagged = picture.described(as: picture.color.isDescribed ? picture.color : .sRGB)
    return try [(ImageFormat.png, tagged), (.exr, light)].map { format, frame in
      let name = "\(stem).\(format.suffixes[0])"
      let file = try OutputFile(name, replaces: false)
      try file.fill([format.encoder().encode(frame)])
      try file.commit()
      return name
    }
  }
}

extension ColorDescription {
  /// Native display pixels have no tags: other programs interpret them as sRGB.
  fileprivate static let sRGB = ColorDescription(primaries: .bt709, transfer: .sRGB, matrix: .rgb, range: .full)

  fileprivate var isDescribed: Bool { transfer != .unspecified && primaries != .unspecified }
}

extension Orientation {
  /// Returns the source position of a position in the rotated picture, both as fractions of width and height.
  func source(of place: SIMD2<Double>) -> SIMD2<Double> {
    let (column, row) = swapsAxes ? (place.y, place.x) : (place.x, place.y)
    return SIMD2(reversesColumns ? 1 - column : column, reversesRows ? 1 - row : row)
  }
}
