internal import ColorScience
internal import Frames

/// Reads OpenEXR files: scan lines and full-resolution tiles, in all types and compressions that the library supports.
public enum EXRReader {
  /// The first picture's R, G and B (or Y, as grey) as linear half floats.
  ///
  /// The frame is the display window, black outside the data window. Without chromaticities the primaries are BT.709;
  /// primaries that H.273 does not define are converted to BT.2020. NaN becomes 0, and infinities the largest half
  /// float.
  /// - Throws: `ImageFileError.unreadable` if the file is missing or damaged, `.unsupported` if it contains no such
  ///   picture.
  /// Source: OpenEXR Standard Attributes (version 3.1), `chromaticities` and `whiteLuminance`.
  public static func read(_ path: String) throws(ImageFileError) -> StillImage {
    let file = try EXRFile(path: path)
    let part = try EXRPart(of: file)
    let window = part.displayWindow
    let size = try Size(stated: window.width, window.height, path: path)
    let data = try Size(stated: part.dataWindow.width, part.dataWindow.height, path: path)
    try size.check(held: data.width * data.height, path: path)
    let chunks = try EXRChunks(file, part)
    var notes: [String] = []
    let space = part.space ?? .bt709
    let primaries = ColorPrimaries(space)
    let frame = CodedFrame(
      size: size, layout: .linearRGB,
      color: ColorDescription(primaries: primaries ?? .bt2020, transfer: .linear, matrix: .rgb, range: .full),
      metadata: HDRMetadata(linearUnit: part.whiteLuminance))
    try chunks.decode(into: frame)
    if primaries == nil {
      let matrix = RGBSpace.conversion(from: space, to: .bt2020)
      guard matrix.isFinite else {
        throw .unsupported(path: path, reason: "its chromaticities do not span a triangle around its white")
      }
      frame.convert(by: matrix)
      notes.append("Its primaries are not standard ones: colours were converted to BT.2020.")
    }
    if part.pixelAspectRatio != 1 {
      notes.append("Its pixels are \(part.pixelAspectRatio) times as wide as high, and are treated as square.")
    }
    // Source: Technical Introduction to OpenEXR, "Premultiplied vs. Un-Premultiplied Color".
    let alpha = chunks.alpha.map { StillAlpha($0, isPremultiplied: true) }
    return StillImage(formatName: "exr", codecName: "exr", frame: frame, alpha: alpha, notes: notes)
  }
}

extension Matrix3 {
  fileprivate var isFinite: Bool {
    [row0, row1, row2].allSatisfy { row in (0..<3).allSatisfy { row[$0].isFinite } }
  }
}
