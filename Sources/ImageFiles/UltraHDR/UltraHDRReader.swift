internal import Bitstreams
internal import ColorScience
internal import FFmpegIO
internal import Foundation
internal import Frames
internal import Media

/// Reads JPEG files with a gain map: Android's Ultra HDR, ISO 21496-1, Apple's.
public enum UltraHDRReader {
  /// Luminance of 1.0 in cd/m²: HDR reference white. Source: ITU-R BT.2408-8 (2024), 2.1.
  private static let white = 203.0

  /// The picture with its gain map applied, as linear light; the base picture is sRGB or Display P3.
  /// - Parameters:
  ///   - path: The JPEG file.
  ///   - headroom: Headroom of the display, as a linear ratio over SDR white; nil: the picture's maximum.
  /// - Returns: nil if the file is not a JPEG, or has no usable gain map, so that only the base picture is usable.
  /// - Throws: `ImageFileError` if it cannot be read, or its base picture cannot be decoded.
  public static func read(_ path: String, headroom: Double? = nil) throws(ImageFileError) -> StillImage? {
    guard let file = try GainMapFile(path: path) else { return nil }
    guard let map = try? decode(file.map, of: path) else { return nil }
    let base = try decode(file.base, of: path)
    let basePrimaries = primaries(file.baseProfile) ?? .bt709
    let primaries = file.metadata.usesBaseColors ? basePrimaries : primaries(file.mapProfile) ?? basePrimaries
    let weight = file.metadata.weight(headroom: headroom)
    let gains = GainMap(map, file.metadata, size: base.size, weight: weight)
    let linearizer = BaseLinearizer(from: basePrimaries, to: primaries)
    let frame = CodedFrame(
      size: base.size, layout: .linearRGB,
      color: ColorDescription(primaries: primaries, transfer: .linear, matrix: .rgb, range: .full))
    var light = LightSum()
    for y in 0..<base.size.height {
      var row = linearizer.linearize(base.row(y))
      gains.apply(to: &row, y: y)
      store(row, y, in: frame)
      light.count(row)
    }
    let metadata = HDRMetadata(contentLight: light.contentLight(white: white), linearUnit: white)
    return StillImage(
      formatName: "ultrahdr", codecName: "mjpeg", frame: frame.with(metadata), orientation: file.orientation,
      notes: [note(file.metadata, headroom: headroom)])
  }

  private static func note(_ metadata: GainMapMetadata, headroom: Double?) -> String {
    let largest = metadata.largestHeadroom
    if metadata.isLinear, largest == 1 { return "Its gain map is not applied: the file does not state its headroom." }
    let applied = min(headroom ?? largest, largest)
    if applied == 1 { return "Its SDR rendition is used, without its gain map; SDR white is assumed to be 203 cd/m²." }
    let share = String(format: "%.2f", applied)
    return "Its gain map is applied for light of up to \(share) times SDR white, assumed to be 203 cd/m²."
  }

  /// The first of several pictures in a JPEG file: FFmpeg takes the size of the last one as the file's.
  /// - Returns: nil if the file has only one, or is not a JPEG.
  /// - Throws: `ImageFileError` if it cannot be read.
  public static func firstPicture(of path: String) throws(ImageFileError) -> Range<Int>? {
    try GainMapFile.firstPicture(of: path)
  }

  private static func decode(_ bytes: Range<Int>, of path: String) throws(ImageFileError) -> JPEGRows {
    let frame: CodedFrame?
    do {
      frame = try MediaReader(url: path, bytes: bytes).readFrame()
    } catch {
      throw .unreadable(path: path, reason: "a picture in it cannot be decoded (\(error))")
    }
    guard let rows = frame.flatMap({ JPEGRows($0) })
    else { throw .unsupported(path: path, reason: "a picture in it does not have eight bits") }
    return rows
  }

  /// The primaries of a profile; its curve is assumed to be sRGB, as in all pictures with gain maps.
  private static func primaries(_ profile: [UInt8]?) -> ColorPrimaries? {
    profile.flatMap(ICCProfile.init)?.tags?.primaries
  }

  private static func store(_ row: JPEGRows.Row, _ y: Int, in frame: CodedFrame) {
    for (plane, light) in [row.green, row.blue, row.red].enumerated() {
      unsafe frame.withHalfRow(plane, y) { target in
        for (x, value) in light.enumerated() { unsafe target[x] = HalfSample.bits(value) }
      }
    }
  }
}
