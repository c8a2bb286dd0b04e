internal import Files
internal import Foundation

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

  /// From the start of a file.
  /// - Returns: nil if it is not a regular file, or not camera raw.
  init?(path: String) {
    // Links are followed; reading from a pipe would consume its contents.
    guard FileStatus(path)?.kind == .regular, let file = FileHandle(systemName: path),
      let prefix = try? file.read(upToCount: Self.prefixLength)
    else { return nil }
    self.init(prefix: [UInt8](prefix))
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
  /// directories below it is an ordinary TIFF.
  ///
  /// Source: TIFF 6.0 (1992), "NewSubfileType", "PhotometricInterpretation"; TIFF Technical Note 1, "SubIFDs".
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
    self.isCertain = isCertain
    self.isTIFF = isTIFF
  }
}
