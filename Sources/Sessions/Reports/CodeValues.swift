internal import ColorScience
internal import FFmpegIO
internal import Frames

/// Changes of code values when light is unchanged.
extension TranscodePlan {
  /// Frames keep the input's code values, except where something is drawn over the picture.
  public var keepsCodes: Bool { target.keepsCoding && codeChanges.isEmpty }

  /// Summary for plans and reports; nil: the light changes.
  public var codeValues: String? {
    guard target.keepsCoding else { return nil }
    if !codeChanges.isEmpty { return "changed: " + codeChanges.joined(separator: ", ") }
    let drawn = [
      subtitles.map { _ in "subtitles" }, request.filters.isEmpty ? nil : "scopes",
      target.limit.map { "light above \($0.words) cd/m²" },
    ].compactMap(\.self)
    let isLossless = video.encoder.map(Encoders.isLossless) ?? true
    return "unchanged" + (isLossless ? "" : " before encoding")
      + (drawn.isEmpty ? "" : " but for " + drawn.joined(separator: " and "))
  }

  /// Steps that change samples although light is not mapped.
  private var codeChanges: [String] {
    let (from, to) = (source.layout, video.layout)
    let (own, its) = (source.color, video.color)
    var changes = [
      decodedFormat.map { "the decoder's \($0) is converted" },
      geometry.deinterlacing.map { _ in "fields are interpolated" },
      geometry.scaling.map { _ in "the picture is scaled" },
      geometry.orientation == .identity ? nil : "the picture is rotated",
    ]
    if from.components != to.components {
      changes.append("chroma is resampled: \(from.components.words) to \(to.components.words)")
    } else if from.chromaShiftY == 1, own.chromaLocation != its.chromaLocation {
      changes.append("chroma is resampled: siting \(own.chromaLocation) to \(its.chromaLocation)")
    }
    if from.bitDepth != to.bitDepth { changes.append("\(from.bitDepth) bits become \(to.bitDepth)") }
    if from.components == to.components, own.matrix != its.matrix {
      changes.append("the matrix \(own.matrix) becomes \(its.matrix)")
    }
    if own.range != its.range { changes.append("\(own.range.words) range becomes \(its.range.words)") }
    return changes.compactMap(\.self)
  }
}

extension PixelLayout.Components {
  /// "4:2:0", "R'G'B'".
  fileprivate var words: String {
    switch self {
    case .ycbcr420: "4:2:0"
    case .ycbcr422: "4:2:2"
    case .ycbcr444: "4:4:4"
    case .rgb: "R'G'B'"
    case .gray: "4:0:0"
    }
  }
}
