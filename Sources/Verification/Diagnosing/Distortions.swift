internal import ColorScience
internal import Frames
internal import Patterns

/// The known distortions.
struct Distortions: Sendable {
  let rendition: Rendition
  var reading: SignalReading { rendition.reading }

  /// All distortions without parameters.
  var fixed: [Distortion] { tags + transfers + primaries + matrices + ranges + overRanges }

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

extension Distortions {
  /// Correct samples with wrong tags.
  var tags: [Distortion] {
    let expected = rendition.expectation.signal
    let curve = DisplayCurve(expected.kind)
    let conversion = RGBSpace.conversion(from: expected.space, to: reading.space)
    var result: [Distortion] = []
    let transfer = Fault(
      "transfer.\(curve.name)-as-\(reading.curve.name)",
      "The samples are \(curve.words), but the tags say \(reading.curve.words): tag them as \(curve.words).")
    let primaries = Fault(
      "primaries.\(name(expected.space))-for-\(name(reading.space))",
      "The samples have the primaries \(words(expected.space)), but the tags say \(words(reading.space)): correct the "
        + "tags.")
    if curve != reading.curve, expected.space != reading.space {
      result.append(Distortion(stage: .encoding, faults: [transfer, primaries], isTagOnly: true) { $0 })
    }
    if curve != reading.curve {
      result.append(
        Distortion(stage: .encoding, faults: [transfer], isTagOnly: true) {
          expected.space == reading.space ? $0 : curve.signal(nits: conversion * curve.nits($0))
        })
    }
    if expected.space != reading.space {
      result.append(
        Distortion(stage: .encoding, faults: [primaries], isTagOnly: true) {
          curve == reading.curve ? $0 : reading.signal(nits: curve.nits($0))
        })
    }
    return result
  }

  /// A transfer function other than the tagged one, in encoding or decoding.
  var transfers: [Distortion] {
    let own = reading.curve
    let others: [(curve: DisplayCurve, white: Double)] =
      own.isSDR
      ? [(.pq, 100), (.hlg, 100), (.bt1886, 100), (.sRGB, 100), (.power(2.2), 100)]
      : [(.pq, 100), (.hlg, 100), (.bt1886, 100), (.bt1886, Self.hdrWhite), (.sRGB, 100), (.sRGB, Self.hdrWhite)]
    var result: [Distortion] = []
    for (curve, white) in others where curve != own {
      let made = Fault(
        "transfer.\(curve.name)-as-\(own.name)",
        "The samples are \(curve.words), but the tags say \(own.words): the pattern was encoded with the wrong "
          + "transfer function.")
      result.append(
        Distortion(stage: .encoding, faults: [made]) { [rendition] in
          let signal = curve.signal(nits: rendition.reading.nits(rendition.retagged($0)), white: white)
          return curve.isSDR ? Self.unit(signal) : signal
        })
      let read = Fault(
        "transfer.\(own.name)-as-\(curve.name)",
        "\(own.words) was decoded as \(curve.words) on the way here, and the resulting light was encoded as "
          + "\(own.words).")
      result.append(
        Distortion(stage: .encoding, faults: [read]) { [rendition] in
          rendition.reading.signal(nits: curve.nits(rendition.retagged($0), white: white))
        })
    }
    return result
  }

  /// Luminance in cd/m² of SDR white in HDR. Source: ITU-R BT.2408-7, 2.1.
  private static let hdrWhite = 203.0

  /// Primaries other than the tagged ones, in encoding or decoding.
  var primaries: [Distortion] {
    let own = reading.space
    var result: [Distortion] = []
    for other in [RGBSpace.bt709, .displayP3, .bt2020] where other != own {
      let name = "primaries.\(name(other))-for-\(name(own))"
      let there = RGBSpace.conversion(from: own, to: other), back = RGBSpace.conversion(from: other, to: own)
      let made = Fault(
        name,
        "The samples have the primaries \(words(other)), but the tags say \(words(own)): colours look too strong or "
          + "too weak.")
      let read = Fault(
        name,
        "The primaries \(words(other)) were mistaken for \(words(own)) on the way here, and colours were converted "
          + "accordingly.")
      for (fault, conversion) in [(made, there), (read, back)] {
        result.append(
          Distortion(stage: .encoding, faults: [fault]) { [rendition] in
            let signal = rendition.retagged($0)
            // Grey is unchanged, also below black and above white.
            guard signal.x != signal.y || signal.y != signal.z else { return signal }
            return rendition.reading.signal(nits: conversion * rendition.reading.nits(signal))
          })
      }
    }
    return result
  }

  static func unit(_ signal: SIMD3<Double>) -> SIMD3<Double> {
    signal.clamped(lowerBound: .zero, upperBound: SIMD3(repeating: 1))
  }

  private func name(_ space: RGBSpace) -> String {
    switch ColorPrimaries(space) {
    case .bt709: "709"
    case .bt2020: "2020"
    case .displayP3, .dciP3: "p3"
    case .bt470BG, .smpte170M: "601"
    case let other?: "\(other)"
    case nil: "other"
    }
  }

  private func words(_ space: RGBSpace) -> String { ColorPrimaries(space)?.words ?? "unknown" }
}
