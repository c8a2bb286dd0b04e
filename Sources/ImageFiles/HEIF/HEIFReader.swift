#if HEIF
  internal import CHEIF
  internal import ColorScience
  internal import FFmpegIO
  internal import Foundation
#endif
internal import Frames

/// Reads the primary picture of HEIC and AVIF files, grids of tiles included.
///
/// Source: ISO/IEC 23008-12 (HEIF); AV1 Image File Format 1.1.
public enum HEIFReader {
  #if HEIF
    public static let isAvailable = true

    /// The picture as it is coded: Y'CbCr or R'G'B' of 8, 10 or 12 bit, turned, mirrored and cropped as the file says.
    ///
    /// Code points of the file go before an ICC profile. Grey becomes 4:2:0 without colour, and transparency is left out.
    /// - Throws: `ImageFileError.unreadable` where libheif cannot read it, `.unsupported`, `.outOfMemory`.
    public static func read(_ path: String) throws(ImageFileError) -> StillImage {
      let data: Data
      do { data = try Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe) } catch {
        throw .unreadable(path: path, reason: error.localizedDescription)
      }
      let file = [UInt8](data)
      return try unsafe file.withUnsafeBufferPointer { bytes throws(ImageFileError) in
        try unsafe read(bytes, HEIFProperties(file), path)
      }
    }

    private static func read(
      _ file: UnsafeBufferPointer<UInt8>, _ properties: HEIFProperties, _ path: String
    ) throws(ImageFileError) -> StillImage {
      guard let context = unsafe heif_context_alloc() else { throw .outOfMemory }
      defer { unsafe heif_context_free(context) }
      try unsafe check(heif_context_read_from_memory_without_copy(context, file.baseAddress, file.count, nil), path)
      var found: OpaquePointer?
      try unsafe check(heif_context_get_primary_image_handle(context, &found), path)
      guard let handle = unsafe found else { throw .outOfMemory }
      defer { unsafe heif_image_handle_release(handle) }
      try StillImage.check(
        unsafe Size(
          width: Int(heif_image_handle_get_width(handle)), height: Int(heif_image_handle_get_height(handle))), path)
      guard let components = properties.components else {
        throw .unsupported(path: path, reason: "it is coded neither as HEVC nor as AV1")
      }
      var decoded: OpaquePointer?
      // Without the file's own format libheif makes R'G'B' of it.
      try unsafe check(heif_decode_image(handle, &decoded, heif_colorspace_YCbCr, components.chroma, nil), path)
      guard let image = unsafe decoded else { throw .outOfMemory }
      defer { unsafe heif_image_release(image) }
      var notes: [String] = []
      if unsafe heif_image_handle_has_alpha_channel(handle) != 0 { notes.append("Its transparency is left out.") }
      if unsafe heif_image_get_decoding_warnings(image, 0, nil, 0) > 0 { notes.append("libheif found damage in it.") }
      let tags = tags(properties, &notes)
      let picture = try unsafe HEIFPicture(
        image, tags.matrix == .rgb && components == .ycbcr444 ? .rgb : components, path: path)
      let frame = unsafe picture.frame(image, tags.description(for: picture.layout), properties.metadata)
      return StillImage(formatName: "heif", frame: frame, notes: notes)
    }

    /// What the file does not say is as ISO/IEC 23000-22 (MIAF), 7.3.6.4 has it: full range and the matrix of BT.601.
    private static func tags(_ properties: HEIFProperties, _ notes: inout [String]) -> ColorTags {
      var tags = properties.codes
      if tags.primaries == nil, tags.transfer == nil, let profile = properties.profile {
        if profile.tags == nil { notes.append(StillImage.note(unrecognized: profile)) }
        tags = tags.merged(over: profile.tags ?? ColorTags())
      }
      return tags.merged(over: ColorTags(matrix: .smpte170M, range: .full))
    }

    private static func check(_ error: heif_error, _ path: String) throws(ImageFileError) {
      guard unsafe error.code != heif_error_Ok else { return }
      if unsafe error.subcode == heif_suberror_Security_limit_exceeded {
        throw .unsupported(path: path, reason: "it is larger than any picture that is processed")
      }
      if unsafe error.code == heif_error_Memory_allocation_error { throw .outOfMemory }
      let isUnsupported = unsafe [heif_error_Unsupported_feature, heif_error_Unsupported_filetype].contains(error.code)
      throw isUnsupported
        ? .unsupported(path: path, reason: unsafe text(of: error))
        : .unreadable(path: path, reason: unsafe text(of: error))
    }

    /// libheif's own words, without their full stop.
    private static func text(of error: heif_error) -> String {
      guard let message = unsafe error.message else { return "no reason given" }
      let words = unsafe String(cString: message)
      return words.last == "." ? String(words.dropLast()) : words
    }
  #else
    public static let isAvailable = false

    /// - Throws: `ImageFileError.missingLibrary`.
    public static func read(_ path: String) throws(ImageFileError) -> StillImage {
      throw .missingLibrary(format: "HEIC and AVIF", package: "libheif-dev")
    }
  #endif
}
