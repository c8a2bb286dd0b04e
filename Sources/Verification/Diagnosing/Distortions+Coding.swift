internal import ColorScience
internal import Frames
internal import Patterns

extension Distortions {
  /// A matrix other than the tagged one, in encoding or decoding.
  var matrices: [Distortion] {
    let known: [(name: String, matrix: YCbCrMatrix)] = [("709", .bt709), ("2020", .bt2020), ("601", .bt601)]
    // R'G'B' was decoded from a stream with the pattern's matrix.
    guard let own = reading.matrix ?? YCbCrMatrix(rendition.expectation.signal.matrix),
      let ownName = known.first(where: { $0.matrix == own })?.name
    else { return [] }
    return known.filter { $0.matrix != own }.flatMap { name, other in
      let made = Fault(
        "matrix.\(name)-for-\(ownName)",
        "Y'CbCr was made with the matrix of BT.\(name) but is tagged BT.\(ownName): colours are off, greys are not. "
          + "Use the matrix that the tags state.")
      let read = Fault(
        "matrix.\(name)-for-\(ownName)",
        "Y'CbCr of BT.\(ownName) was decoded with the matrix of BT.\(name) on the way here: colours are off, greys are "
          + "not.")
      return [
        Distortion(stage: .matrix, faults: [made]) { own.rgb(fromYCbCr: other.ycbcr(fromRGB: $0)) },
        Distortion(stage: .matrix, faults: [read]) { other.rgb(fromYCbCr: own.ycbcr(fromRGB: $0)) },
      ]
    }
  }

  /// Full range read as limited, and vice versa: for Y'CbCr and R'G'B', with and without clipped over-range.
  var ranges: [Distortion] {
    let full = SampleScale(bitDepth: reading.scale.bitDepth, range: .full)
    let narrow = SampleScale(bitDepth: reading.scale.bitDepth, range: .narrow)
    let matrix = reading.matrix ?? YCbCrMatrix(rendition.expectation.signal.matrix) ?? .bt709
    let tagged = reading.color.range
    let expanded = Fault(
      "range.full-as-narrow",
      tagged == .narrow
        ? "The samples are full range but tagged limited, or were expanded to full twice: black is below black and "
          + "white above white. Convert them to limited range, or tag them full."
        : "Limited range was expanded once too often: black is below black and white above white.")
    let compressed = Fault(
      "range.narrow-as-full",
      tagged == .full
        ? "The samples are limited range but tagged full: black is grey and white is dull. Convert them to full range, "
          + "or tag them limited."
        : "Limited range was mistaken for full and compressed again: black is grey and white is dull.")
    /// The result of reading samples of one scale with another.
    func misread(_ actual: SampleScale, as taken: SampleScale, rgb: Bool) -> @Sendable (SIMD3<Double>) -> SIMD3<Double>
    {
      let gain = actual.lumaScale / taken.lumaScale
      let lift = (actual.lumaOffset - taken.lumaOffset) / taken.lumaScale
      let chroma = actual.chromaScale / taken.chromaScale
      guard !rgb else { return { $0 * gain + lift } }
      return {
        let ycbcr = matrix.ycbcr(fromRGB: $0)
        return matrix.rgb(fromYCbCr: SIMD3(ycbcr.x * gain + lift, ycbcr.y * chroma, ycbcr.z * chroma))
      }
    }
    return [false, true].flatMap { rgb in
      let stretch = misread(full, as: narrow, rgb: rgb)
      return [
        Distortion(stage: .range, faults: [expanded], apply: stretch),
        Distortion(stage: .range, faults: [expanded]) { Self.unit(stretch($0)) },
        Distortion(stage: .range, faults: [compressed], apply: misread(narrow, as: full, rgb: rgb)),
      ]
    }
  }

  static let superWhite = Fault(
    "super-white", "Signals above nominal white are clipped: they should come through unchanged.")
  static let superBlack = Fault(
    "super-black", "Signals below black are clipped: they should come through unchanged.")

  /// Signals below black or above white that were clipped.
  var overRanges: [Distortion] {
    let (white, black, one) = (Self.superWhite, Self.superBlack, SIMD3(repeating: 1.0))
    return [
      Distortion(stage: .level, faults: [white]) { pointwiseMin($0, one) },
      Distortion(stage: .level, faults: [black]) { pointwiseMax($0, .zero) },
      Distortion(stage: .level, faults: [white, black]) { Self.unit($0) },
    ]
  }
}
