package import ImageFiles

/// Messages about the limits of picture formats.
extension Message {
  /// The parameter is for video, but the output is a picture.
  static func forVideo(_ parameter: Parameter, output: String) -> Message {
    Message("parameter-for-video", "\(parameter) is for video, but '\(output)' is a picture: omit it.")
  }

  /// The format cannot carry the colour space.
  package static func cannotCarry(_ format: ImageFormat, _ space: ImageSpace) -> Message {
    let others = ImageFormat.allCases.filter { $0.spaces.contains(space) }.map(\.rawValue).joined(separator: ", ")
    let own: MessageText =
      format.spaces.isEmpty
      ? "it holds frames as they are coded; omit \(.space)"
      : "it takes \(format.spaces.map(\.name).joined(separator: ", "))"
    return Message(
      "picture-space-unsupported",
      "\(format.rawValue) cannot carry \(space.name): \(own), or choose one of \(others).")
  }

  /// The format does not support the bit depth; `isLinear`: because the space is linear.
  package static func bitDepth(_ bitDepth: Int, _ format: ImageFormat, isLinear: Bool) -> Message {
    let depths = format.bitDepths.map(String.init).joined(separator: ", ")
    if depths.isEmpty || isLinear {
      let light = isLinear ? " of linear light" : ""
      return Message(
        "picture-bit-depth-fixed",
        "\(.bitDepth) is not for \(format.rawValue)\(light), whose samples have a fixed depth: omit it.")
    }
    return Message(
      "picture-bit-depth-unsupported", "\(format.rawValue) takes \(.bitDepth, depths), not \(bitDepth).")
  }

  /// HDR10 metadata was requested for pictures that are not PQ.
  static let pictureMetadataNeedsPQ = Message(
    "picture-metadata-needs-pq",
    "\(.masteringDisplay) and \(.contentLight) are for PQ: other pictures carry no such metadata.")
}
