internal import ColorScience
internal import Patterns

/// The known distortions.
struct Distortions: Sendable {
  let rendition: Rendition
  var reading: SignalReading { rendition.reading }

  init(_ rendition: Rendition) { self.rendition = rendition }

  /// All distortions without parameters.
  var fixed: [Distortion] { tags + transfers + primaries + matrices + ranges + overRanges }
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

  private func words(_ space: RGBSpace) -> String {
    switch ColorPrimaries(space) {
    case .bt709: "BT.709"
    case .bt2020: "BT.2020"
    case .displayP3, .dciP3: "P3"
    case .bt470BG, .smpte170M: "BT.601"
    case let other?: "\(other)"
    case nil: "unknown"
    }
  }
}
