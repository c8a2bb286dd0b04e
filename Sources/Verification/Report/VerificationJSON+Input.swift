internal import ColorScience
internal import Frames

extension VerificationJSON {
  /// The input, the tags used, and its metadata.
  var input: [String: Any] {
    let (input, color) = (verification.input, verification.input.color)
    return [
      "filename": input.name, "width": input.size.width, "height": input.size.height,
      "samples": input.layout.words, "bit_depth": input.layout.bitDepth, "nb_frames": input.frames,
      "tags": [
        "primaries": "\(color.primaries)", "transfer": "\(color.transfer)", "matrix": "\(color.matrix)",
        "range": "\(color.range)",
        "chroma_location": optional(input.layout.chromaShiftX > 0 ? "\(color.chromaLocation)" : nil),
      ], "metadata": describe(input.metadata),
    ]
  }

  private func describe(_ metadata: HDRMetadata) -> [String: Any] {
    [
      "mastering_display": optional(metadata.masteringDisplay.map(describe)),
      "content_light": optional(
        metadata.contentLight.map { ["max_content": Int($0.maxCLL), "max_average": Int($0.maxFALL)] }),
      "ambient_viewing": metadata.ambientViewing != nil,
      "dolby_vision": metadata.dolbyVision != nil || metadata.hasDolbyVisionRPU,
      "hdr10_plus": metadata.hdr10Plus != nil, "st2094_50": metadata.adaptiveToneMap != nil,
    ]
  }

  private func describe(_ display: MasteringDisplay) -> [String: Any] {
    func xy(_ c: MasteringDisplay.Chromaticity) -> [Any] {
      [Double(c.x), Double(c.y)].map { number($0 / MasteringDisplay.chromaticityUnits, 5) }
    }
    return [
      "red": xy(display.red), "green": xy(display.green), "blue": xy(display.blue), "white_point": xy(display.white),
      "min_luminance": number(display.minNits), "max_luminance": number(display.maxNits),
    ]
  }
}
