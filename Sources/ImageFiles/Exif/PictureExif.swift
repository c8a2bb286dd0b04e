internal import Bitstreams
internal import Glibc
public import Frames

/// Exif metadata about how a picture was taken.
///
/// Source: CIPA DC-008 (Exif 2.32), 4.6.4, 4.6.5.
public struct PictureExif: Sendable, Hashable {
  /// The exposure; its fields are nil where nothing plausible is stated.
  public let exposure: Exposure
  /// Maker and model of the camera.
  public let camera: String?
  /// The rotation that shows the picture upright; containers that state a rotation, such as HEIF and JPEG XL, override
  /// it.
  public let orientation: Orientation?
  /// When it was taken, in seconds since 1970 in UTC; without a stated offset, the camera's clock is taken as UTC.
  public let taken: Double?

  /// The metadata of a JPEG, TIFF, PNG, HEIF, AVIF, JPEG XL or WebP file, whatever its name.
  /// - Returns: nil if it is of another format, or its metadata is missing or compressed.
  /// - Throws: `ImageFileError.unreadable` if it cannot be read, `.unsupported` above 1 GiB.
  public static func read(_ path: String) throws(ImageFileError) -> PictureExif? {
    guard let container = ExifContainer(path: path) else { return nil }
    return try container.structure(in: WholeFile.bytes(of: path)).flatMap { PictureExif(tiff: $0) }
  }

  /// The exposure that a picture's file states.
  /// - Returns: nil if it states none, or cannot be read.
  public static func exposure(of path: String) -> Exposure? {
    guard let exif = try? read(path), exif.exposure != Exposure() else { return nil }
    return exif.exposure
  }
}

extension PictureExif {
  /// - Parameter content: A TIFF structure, beginning with its byte order.
  /// - Returns: nil if it is not one.
  init?(tiff content: ArraySlice<UInt8>) {
    guard content.starts(with: [0x49, 0x49]) || content.starts(with: [0x4D, 0x4D]),
      let directory = TIFFDirectory(content)
    else { return nil }
    exposure = Exposure(ExifTags(directory))
    camera = Self.camera(maker: directory.text(0x010F), model: directory.text(0x0110))
    orientation = Orientation(exifSegment: content)
    taken = ExifTags(directory).timeTaken
  }

  /// Models often begin with the maker's name.
  private static func camera(maker: String?, model: String?) -> String? {
    guard let maker, let model else { return model ?? maker }
    let brand = maker.prefix { $0 != " " }.lowercased()
    return model.lowercased().hasPrefix(brand) ? model : "\(maker) \(model)"
  }
}

/// The exposure tags: in the Exif directory, or in the first directory as in TIFF/EP.
struct ExifTags {
  private let directories: [TIFFDirectory]

  /// - Parameter first: The first directory, which refers to the Exif directory.
  init(_ first: TIFFDirectory) { directories = first.directories(0x8769, limit: 1) + [first] }

  /// The first number of a tag.
  /// - Parameter range: Plausible values; others count as missing.
  func number(_ tag: UInt16, in range: ClosedRange<Double>) -> Double? {
    let values = directories.lazy.compactMap { $0.numbers(tag)?.first }
    // NaN is in no range.
    return values.first { range.contains($0) }
  }

  /// DateTimeOriginal, by OffsetTimeOriginal, in seconds since 1970.
  var timeTaken: Double? {
    func text(_ tag: UInt16) -> String? { directories.lazy.compactMap { $0.text(tag) }.first }
    guard let fields = text(0x9003)?.split(whereSeparator: { $0 == ":" || $0 == " " }).map({ Int($0) }),
      fields.count == 6, let year = fields[0], let month = fields[1], let day = fields[2], let hour = fields[3],
      let minute = fields[4], let second = fields[5], 1970...9999 ~= year, 1...12 ~= month, 1...31 ~= day,
      0...23 ~= hour, 0...59 ~= minute, 0...60 ~= second
    else { return nil }
    let days = Self.days(year, month, day)
    return Double(((days * 24 + hour) * 60 + minute) * 60 + second) - Self.offset(text(0x9011))
  }

  /// Days from 1970-01-01 to a Gregorian date: years begin in March, so that leap days come last.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month < 3 ? year - 1 : year
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
  }

  /// Seconds east of UTC of "+02:00".
  private static func offset(_ text: String?) -> Double {
    guard let text, let sign = text.first, "+-".contains(sign) else { return 0 }
    let fields = text.dropFirst().split(separator: ":").map { Int($0) }
    guard fields.count == 2, let hours = fields[0], let minutes = fields[1], 0...14 ~= hours, 0...59 ~= minutes
    else { return 0 }
    return Double((sign == "-" ? -60 : 60) * (hours * 60 + minutes))
  }
}

extension Exposure {
  /// From 0.1 µs to twelve days, beyond the range of any camera.
  private static let times = 1e-7...1e6
  private static let fNumbers = 0.1...1000.0
  private static let sensitivities = 1...1e8

  /// Implausible values count as missing. Source: CIPA DC-008 (Exif 2.32), 4.6.5, tables 7 and 8, and annex C for APEX
  /// units.
  init(_ tags: ExifTags) {
    let speed = tags.number(0x9201, in: -20...24).map { exp2(-$0) }
    let aperture = tags.number(0x9202, in: -6...20).map { exp2($0 / 2) }
    self.init(
      seconds: tags.number(0x829A, in: Self.times) ?? speed,
      fNumber: tags.number(0x829D, in: Self.fNumbers) ?? aperture,
      sensitivity: Self.sensitivity(tags),
      flashFired: tags.number(0x9209, in: 0...65_535).map { Int($0) & 1 == 1 })
  }

  private static func sensitivity(_ tags: ExifTags) -> Double? {
    let short = tags.number(0x8827, in: sensitivities)
    // 65535 means at least as much; ISOSpeed, RecommendedExposureIndex and StandardOutputSensitivity have 32 bits.
    guard short == nil || short == 65_535 else { return short }
    let longs: [UInt16] = [0x8833, 0x8832, 0x8831]
    return longs.lazy.compactMap { tags.number($0, in: sensitivities) }.first ?? short
  }
}

extension Orientation {
  private static let tag: UInt16 = 0x0112

  /// The orientation in the Exif segment of a JPEG picture; nil if it is missing or invalid.
  /// - Parameter content: The bytes after "Exif" and two zeros: a TIFF structure.
  /// Source: CIPA DC-008 (Exif 2.32), 4.5.2 for the structure, 4.6.4 for the tag.
  init?(exifSegment content: ArraySlice<UInt8>) {
    guard content.starts(with: [0x49, 0x49]) || content.starts(with: [0x4D, 0x4D]),
      let directory = TIFFDirectory(content)
    else { return nil }
    var header = directory.reader
    header.seek(2)
    guard header.next(UInt16.self) == 42, var entry = directory.entry(Self.tag), entry.next(UInt32.self) != nil,
      let code = entry.next(UInt16.self), let orientation = Orientation(exif: Int(code))
    else { return nil }
    self = orientation
  }
}

/// A picture format that can contain Exif metadata, detected by the first bytes of a file.
enum ExifContainer {
  case jpeg, tiff, heif, jxl, png, webp

  /// - Returns: nil if it is not a regular file, or of another format.
  init?(path: String) {
    switch StillFormat(path: path) {
    case .jpeg: self = .jpeg
    case .tiff: self = .tiff
    case .heif: self = .heif
    case .jxl: self = .jxl
    case .exr: return nil
    case nil:
      guard let prefix = WholeFile.prefix(of: path, 12) else { return nil }
      if prefix.starts(with: PNGChunk.signature) {
        self = .png
      } else if prefix.starts(with: Array("RIFF".utf8)), prefix.dropFirst(8).elementsEqual("WEBP".utf8) {
        self = .webp
      } else {
        return nil
      }
    }
  }

  /// The metadata: a TIFF structure; nil if missing or compressed.
  func structure(in file: [UInt8]) -> ArraySlice<UInt8>? {
    switch self {
    case .jpeg: JPEGHeader(file, at: 0)?.exif
    case .tiff: file[...]
    case .heif: HEIFItems(file)?.exif.flatMap { Self.afterOffset($0[...]) }
    case .jxl: Self.boxed(file)
    case .png: Self.png(file)
    case .webp: Self.webp(file)
    }
  }

  /// The bytes at the stated offset, which counts from the end of its field. Source: ISO/IEC 23008-12 (HEIF), A.2.1;
  /// ISO/IEC 18181-2, 9.5.
  private static func afterOffset(_ content: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let offset = content.integer(at: 0, 4), offset <= content.count - 4 else { return nil }
    return content.dropFirst(4 + offset)
  }

  /// Source: ISO/IEC 18181-2, 9.5; compressed boxes ("brob") are not read.
  private static func boxed(_ file: [UInt8]) -> ArraySlice<UInt8>? {
    HEIFBoxes(file[...]).prefix(chunkLimit).first { $0.type == "Exif" }.flatMap { afterOffset($0.content) }
  }

  /// Maximum number of chunks or boxes that are examined.
  private static let chunkLimit = 1 << 17

  /// Source: PNG (Third Edition, W3C, 2025), 11.3.3.7, "eXIf".
  private static func png(_ file: [UInt8]) -> ArraySlice<UInt8>? {
    guard let chunks = PNGChunks(file), let place = chunks.prefix(chunkLimit).first(where: { $0.type == "eXIf" })
    else { return nil }
    return chunks.chunk(at: place)?.data[...]
  }

  /// Source: RFC 9649 (WebP), 2.3 for chunks, 2.7.1.5 for "EXIF".
  private static func webp(_ file: [UInt8]) -> ArraySlice<UInt8>? {
    var reader = ByteReader(file[...], isBigEndian: false)
    var position = 12
    for _ in 0..<chunkLimit {
      reader.seek(position)
      guard let type = file[...].text(at: position), reader.next(UInt32.self) != nil,
        let size = reader.next(UInt32.self), Int(size) <= file.count - position - 8
      else { return nil }
      if type == "EXIF" {
        let content = file[position + 8..<position + 8 + Int(size)]
        // Some writers add the prefix of JPEG's segment.
        let prefix = Array("Exif".utf8) + [0, 0]
        return content.starts(with: prefix) ? content.dropFirst(prefix.count) : content
      }
      // Chunks have even sizes.
      position += 8 + Int(size) + Int(size & 1)
    }
    return nil
  }
}
