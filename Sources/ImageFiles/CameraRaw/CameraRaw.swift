internal import ColorScience
public import Frames

/// A camera raw picture: the linear response of the sensor, without white balance, tone curve or reconstructed
/// highlights.
///
/// The image's unit is the white level of each colour, at which it saturates; black is subtracted, so that noise around
/// it is negative as often as positive. Lens corrections that files list are not applied.
public struct CameraRaw: Sendable {
  /// R, G and B of each pixel of the sensor's visible area.
  public let image: SceneImage
  /// When it was taken, in seconds since 1970, as `PictureExif.taken`.
  public let taken: Double?
  /// The rotation that shows the picture upright.
  public let orientation: Orientation
  /// Notes on how it was read, a sentence each.
  public let notes: [String]

  /// Reads DNG, CR2, CR3, NEF, ARW, RAF, ORF, RW2 and other files that LibRaw supports; the name does not matter.
  ///
  /// Sensors with one colour per site are interpolated linearly (`BayerInterpolation`, `FilterInterpolation`).
  /// - Returns: nil if it is not a camera raw file; ordinary TIFF files are not.
  /// - Throws: `ImageFileError.unreadable` if it is damaged, `.unsupported`, `.outOfMemory`.
  public static func read(_ path: String) throws(ImageFileError) -> CameraRaw? {
    guard CameraRawSignature(path: path) != nil else { return nil }
    let bytes = try WholeFile.bytes(of: path)
    guard let signature = CameraRawSignature(file: bytes) else { return nil }
    return try unsafe bytes.withUnsafeBufferPointer { buffer throws(ImageFileError) -> CameraRaw? in
      let file = try LibRawFile(path: path)
      guard try unsafe file.open(UnsafeRawBufferPointer(buffer)) else {
        guard signature.isCertain else { return nil }
        throw .unreadable(path: path, reason: "it is camera raw, but damaged or of a camera that LibRaw does not know")
      }
      return try CameraRaw(file, metadata: CameraRawMetadata(bytes[...], signature))
    }
  }

  private init(_ file: LibRawFile, metadata: CameraRawMetadata) throws(ImageFileError) {
    try file.unpack()
    if metadata.isFloatingPoint || file.isFloatingPoint { throw file.unsupported("its samples are floating-point") }
    let levels = try SensorLevels(file)
    let colors = CameraColors(file)
    let description = SceneDescription(
      components: .camera(name: file.camera ?? metadata.exif?.camera ?? "unknown camera", toXYZ: colors.toXYZ),
      saturation: SIMD3(repeating: 1), quantum: levels.quantum,
      exposure: (metadata.exif?.exposure ?? Exposure()).completed(by: file.exposure), noise: metadata.noise)
    image = try SensorSamples(file, levels).image(description, white: colors.white)
    taken = metadata.exif?.taken
    orientation = file.orientation
    notes = file.notes + colors.notes
  }
}

extension Exposure {
  /// This exposure, completed by what another states; nil if neither states anything.
  fileprivate func completed(by other: Exposure) -> Exposure? {
    let exposure = Exposure(
      seconds: seconds ?? other.seconds, fNumber: fNumber ?? other.fNumber,
      sensitivity: sensitivity ?? other.sensitivity, flashFired: flashFired ?? other.flashFired)
    return exposure == Exposure() ? nil : exposure
  }
}

/// The colours of a camera's sensor.
struct CameraColors {
  /// R, G and B to CIE XYZ under D65; nil if neither the file nor LibRaw's table states it.
  let toXYZ: Matrix3?
  let notes: [String]

  /// The response to D65, G being 1.
  let white: SIMD3<Float>

  /// Illuminants of DNG matrices, nearest to D65 first: D65, D75, D55, daylight, fine weather, cloudy, flash, D50.
  /// Source: CIPA DC-008 (Exif 2.32), 4.6.5, "LightSource".
  private static let lights = [21, 22, 20, 1, 9, 10, 4, 23]

  /// The matrix is the inverse of the one from XYZ to camera colours: the matrix of a DNG file whose illuminant is
  /// nearest D65, adjusted by its camera calibration and analog balance, or the D65 matrix in LibRaw's table, which is
  /// Adobe's. Source: DNG 1.6 (2021), chapter 6, "Mapping Camera Color Space to CIE XYZ Space".
  init(_ file: LibRawFile) {
    let place = { (which: Int) in Self.lights.firstIndex(of: file.light(which)) ?? Self.lights.count }
    let stated = file.isDNG ? [0, 1].sorted { place($0) < place($1) }.compactMap { Self.stated(file, $0) }.first : nil
    let matrix = stated ?? Self.usable(Matrix3 { file.tableMatrix(color: $0, axis: $1) })
    toXYZ = matrix?.inverse
    let light = Chromaticity.d65
    let response = matrix.map { $0 * SIMD3(light.x / light.y, 1, (1 - light.x - light.y) / light.y) }
    let isPossible = response.map { all($0 .> 0.01 * $0.max()) } ?? false
    white = response.map { isPossible ? SIMD3<Float>($0 / $0.y) : SIMD3(repeating: 1) } ?? SIMD3(repeating: 1)
    notes = matrix == nil ? ["The file states no colour matrix, and LibRaw knows none of this camera."] : []
  }

  private static func stated(_ file: LibRawFile, _ which: Int) -> Matrix3? {
    let colors = Matrix3 { file.matrix(which, color: $0, axis: $1) }
    let calibration = Matrix3 { file.calibration(which, color: $0, from: $1) }
    let balance = SIMD3(file.analogBalance(0), file.analogBalance(1), file.analogBalance(2))
    return usable(
      Matrix3(diagonal: all(balance .> 0) ? balance : SIMD3(repeating: 1)) * (usable(calibration) ?? .identity) * colors
    )
  }

  /// The matrix, if it can be inverted.
  private static func usable(_ matrix: Matrix3) -> Matrix3? {
    let inverse = matrix.inverse
    for row in 0..<3 {
      for column in 0..<3 where !(abs(matrix[row, column]) < 100 && abs(inverse[row, column]) < 1e4) { return nil }
    }
    return matrix
  }
}

extension Matrix3 {
  fileprivate init(_ element: (_ row: Int, _ column: Int) -> Double) {
    func row(_ row: Int) -> SIMD3<Double> { SIMD3(element(row, 0), element(row, 1), element(row, 2)) }
    self.init(row(0), row(1), row(2))
  }
}

/// Recognises files that may be camera raw by their content.
///
/// LibRaw alone would take files without any header by their size, and TIFF files of 16-bit grey.
struct CameraRawSignature {
  /// Whether it is certainly camera raw, even if LibRaw cannot read it.
  let isCertain: Bool
  /// Whether it has a TIFF structure, with directories as in TIFF.
  let isTIFF: Bool

  /// Number of bytes that are examined.
  private static let prefixLength = 32

  /// From the start of a file; nil if it is not a regular file, or not camera raw.
  init?(path: String) {
    guard let prefix = WholeFile.prefix(of: path, Self.prefixLength) else { return nil }
    self.init(prefix: prefix)
  }

  /// From the whole file; nil for ordinary TIFF files.
  init?(file: [UInt8]) {
    self.init(prefix: Array(file.prefix(Self.prefixLength)))
    guard isTIFF, !isCertain else { return }
    guard let directory = TIFFDirectory(file[...]) else { return nil }
    // DNGVersion. Source: DNG 1.6 (2021), chapter 4.
    let isDNG = directory.numbers(0xC612) != nil
    guard isDNG || !Self.isPicture(directory) else { return nil }
    self.init(isCertain: isDNG, isTIFF: true)
  }

  /// Raw files begin with a thumbnail, or with a mosaic; a grey or colour picture of full resolution with no further
  /// directories below it is an ordinary TIFF. Source: TIFF 6.0 (1992), "NewSubfileType", "PhotometricInterpretation";
  /// TIFF Technical Note 1, "SubIFDs".
  private static func isPicture(_ directory: TIFFDirectory) -> Bool {
    let isThumbnail = directory.numbers(0x00FE)?.first?.truncatingRemainder(dividingBy: 2) == 1
    let interpretation = directory.numbers(0x0106)?.first ?? -1
    return 0...2 ~= interpretation && !isThumbnail && directory.entry(0x014A) == nil
  }

  private init?(prefix: [UInt8]) {
    func begins(_ text: String, at offset: Int = 0) -> Bool { prefix.dropFirst(offset).starts(with: text.utf8) }
    if ["II*\0", "MM\0*"].contains(where: { begins($0) }) {
      // Canon's CR2 has a signature after the header.
      self.init(isCertain: begins("CR", at: 8), isTIFF: true)
    } else if ["IIRO", "IIRS", "MMOR", "IIU\0"].contains(where: { begins($0) }) {
      // Olympus, Panasonic.
      self.init(isCertain: true, isTIFF: true)
    } else if ["FUJIFILMCCD-RAW", "FOVb", "\0MRM"].contains(where: { begins($0) }) || begins("ftypcrx ", at: 4)
      || begins("HEAPCCDR", at: 6)
    {
      // Fujifilm, Sigma, Minolta, Canon's CR3 and CRW.
      self.init(isCertain: true, isTIFF: false)
    } else {
      return nil
    }
  }

  private init(isCertain: Bool, isTIFF: Bool) {
    (self.isCertain, self.isTIFF) = (isCertain, isTIFF)
  }
}
