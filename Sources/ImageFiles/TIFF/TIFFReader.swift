internal import CTIFF
internal import ColorScience
internal import Frames

/// Reads TIFF files: RGB and grey, 8- or 16-bit integers and 16- or 32-bit floats, in all compressions that the library
/// supports.
public enum TIFFReader {
  /// The first picture of a file: R'G'B' for integers, linear light for floats.
  ///
  /// Colours follow Headroom's `ImageDescription`, or the primaries of the tags; the default is BT.709. Integers are
  /// then sRGB, which the caller corrects by `iccProfile`.
  /// - Throws: `ImageFileError.unreadable` if the file is missing or damaged, `.unsupported` if it holds anything else.
  public static func read(_ path: String) throws(ImageFileError) -> StillImage {
    let file = try TIFFFile(path: path)
    let picture = try TIFFPicture(file)
    var notes: [String] = []
    let (color, linearUnit) = color(of: file, picture, &notes)
    let frame = CodedFrame(
      size: picture.size, layout: picture.layout, color: color, metadata: HDRMetadata(linearUnit: linearUnit))
    let kind = file.extraSamples.firstIndex { [EXTRASAMPLE_ASSOCALPHA, EXTRASAMPLE_UNASSALPHA].contains(Int32($0)) }
    let blocks = TIFFBlocks(file: file, picture: picture, alphaSample: kind.map { $0 + picture.colorCount })
    let plane = try blocks.decode(into: frame)
    let alpha = kind.flatMap { kind in
      plane.map { StillAlpha($0, isPremultiplied: file.extraSamples[kind] == Int(EXTRASAMPLE_ASSOCALPHA)) }
    }
    if picture.samplesPerPixel > picture.colorCount + (alpha == nil ? 0 : 1) {
      notes.append("Its extra samples are not used.")
    }
    let orientation = file.number(TIFFTAG_ORIENTATION).flatMap { Orientation(exif: Int($0)) }
    return StillImage(
      formatName: "tiff", codecName: "tiff", frame: frame, orientation: orientation ?? .identity,
      iccProfile: file.iccProfile, alpha: alpha, notes: notes)
  }

  private static func color(
    of file: TIFFFile, _ picture: TIFFPicture, _ notes: inout [String]
  ) -> (ColorDescription, linearUnit: Double?) {
    let isLinear = picture.layout.samples == .half
    if let text = file.text(TIFFTAG_IMAGEDESCRIPTION), let stated = TIFFDescription.parse(text),
      stated.space.isLinear == isLinear
    {
      return (stated.space.color, stated.linearUnit)
    }
    let space = space(of: file)
    let primaries = space.map(ColorPrimaries.init) ?? .bt709
    if primaries == nil { notes.append("Its primaries are not standard ones, and are assumed to be those of BT.709.") }
    let transfer: TransferCharacteristics = isLinear ? .linear : .sRGB
    return (
      ColorDescription(primaries: primaries ?? .bt709, transfer: transfer, matrix: .rgb, range: .full), nil
    )
  }

  private static func space(of file: TIFFFile) -> RGBSpace? {
    guard let values = file.floats(TIFFTAG_PRIMARYCHROMATICITIES, count: 6),
      let white = file.floats(TIFFTAG_WHITEPOINT, count: 2)
    else { return nil }
    func point(_ values: ArraySlice<Float>) -> Chromaticity {
      Chromaticity(x: Double(values[values.startIndex]), y: Double(values[values.startIndex + 1]))
    }
    return RGBSpace(
      red: point(values[0..<2]), green: point(values[2..<4]), blue: point(values[4..<6]), white: point(white[...]))
  }
}
