internal import FFmpegIO
internal import Frames

extension StillImage {
  /// Pixels of the largest picture that is read.
  static let maxPixels = 16_384 * 16_384

  /// - Throws: `ImageFileError.unsupported` for a size that no picture has or that is too large.
  static func check(_ size: Size, _ path: String) throws(ImageFileError) {
    let (pixels, overflow) = size.width.multipliedReportingOverflow(by: size.height)
    guard size.width > 0, size.height > 0, !overflow, pixels <= maxPixels else {
      throw .unsupported(path: path, reason: "a picture of \(size) pixels is outside what can be processed")
    }
  }

  /// What the user should know of a profile that says nothing to us.
  static func note(unrecognized profile: ICCProfile) -> String {
    let name = profile.name.map { " '\($0)'" } ?? ""
    return "Its ICC profile\(name) is not one of the known colour spaces, and is not applied."
  }
}
