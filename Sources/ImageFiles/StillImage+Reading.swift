internal import FFmpegIO

extension StillImage {
  /// What the user should know of a profile that says nothing to us.
  static func note(unrecognized profile: ICCProfile) -> String {
    let name = profile.name.map { " '\($0)'" } ?? ""
    return "Its ICC profile\(name) is not one of the known colour spaces, and is not applied."
  }
}
