internal import ImageFiles

extension PatternPlan {
  /// - Throws: `CommandFailure` for an option that would do nothing for a picture.
  static func refuseVideoOptions(_ options: PatternOptions, output: String) throws {
    let idle =
      options.coding.forVideoOnly + [("--range", options.range != nil), ("--chroma-site", options.chromaSite != nil)]
    if let option = idle.first(where: \.isGiven)?.name {
      throw CommandFailure("\(option) is for video, and '\(output)' is a picture: leave it out.", .usage)
    }
  }

  /// - Throws: `CommandFailure` for an option that would do nothing for video.
  static func refusePictureOptions(_ options: PatternOptions) throws {
    let idle = [
      ("--space", options.space != nil), ("--bit-depth", options.bitDepth != nil), ("--scales", options.scales != nil),
    ]
    if let option = idle.first(where: \.1)?.0 {
      let advice = option == "--bit-depth" ? "choose a --pixel-format instead" : "leave it out"
      throw CommandFailure("\(option) is for pictures (png, exr, tiff, ...), not for video: \(advice).", .usage)
    }
  }
}
