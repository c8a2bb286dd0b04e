internal import Glibc

extension Typeface {
  /// The environment variable with the path of a font to use instead of DejaVu Sans.
  public static let environmentVariable = "HEADROOM_FONT"

  /// Locations where distributions install DejaVu Sans.
  public static let defaultPaths = [
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",  // Debian, Ubuntu
    "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf",  // Fedora
    "/usr/share/fonts/dejavu/DejaVuSans.ttf",  // Alpine, Gentoo
    "/usr/share/fonts/TTF/DejaVuSans.ttf",  // Arch
    "/usr/share/fonts/truetype/DejaVuSans.ttf",  // openSUSE
    "/usr/local/share/fonts/DejaVuSans.ttf",
  ]

  /// Returns the font named by the environment variable, or DejaVu Sans from its default locations.
  /// - Parameters:
  ///   - chosen: Path of a font; if specified, no other font is searched for.
  ///   - places: Candidate paths; the first that exists is used.
  /// - Throws: `LetteringError.missingFont` if no font is found, or the reason why the font is unusable.
  public static func `default`(
    chosen: String? = environmentPath, places: [String] = defaultPaths
  ) throws(LetteringError) -> Typeface {
    if let chosen { return try Typeface(path: chosen) }
    guard let path = places.first(where: { unsafe access($0, R_OK) == 0 }) else {
      throw .missingFont(searched: places)
    }
    return try Typeface(path: path)
  }

  /// The value of `environmentVariable`; nil: unset or empty.
  public static var environmentPath: String? {
    guard let value = unsafe getenv(environmentVariable) else { return nil }
    let path = unsafe String(cString: value)
    return path.isEmpty ? nil : path
  }
}
