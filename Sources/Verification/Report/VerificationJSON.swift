internal import ColorScience
internal import Foundation
internal import Frames
internal import Patterns

/// A verification as JSON: every key is always present; missing values are null.
///
/// Rectangles are in picture pixels from the top left, codes in the input's bit depth and range, light in cd/m²,
/// chromaticities in CIE 1931 x, y.
public struct VerificationJSON {
  let verification: Verification

  /// Identifier of the JSON format, and its version.
  static let format = "headroom-verification"
  static let version = 1
  static let maximumRampPoints = 256

  /// Creates the JSON of a verification.
  public init(_ verification: Verification) { self.verification = verification }

  /// Returns the JSON with sorted keys, one per line.
  /// - Throws: An error of `JSONSerialization` for numbers that JSON cannot represent.
  public func text() throws -> String {
    let data = try JSONSerialization.data(
      withJSONObject: object, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
    return String(decoding: data, as: UTF8.self)
  }

  private var object: [String: Any] {
    [
      "format": Self.format, "version": Self.version, "passed": verification.verdict == .passed,
      "found": verification.verdict != .notFound, "conclusion": verification.conclusion, "pattern": pattern,
      "expectation": optional(verification.expectation),
      "tolerance": ["delta_e_itp": number(verification.tolerance.deltaE)],
      "input": input, "placement": optional(verification.placement.map(describe)),
      "counts": counts, "nb_frames_measured": verification.measuredFrames,
      "patches": verification.patches.map(describe),
      "ramps": verification.ramps.map(describe), "details": verification.details.map(describe),
      "frames": optional(verification.frames.map(describe)), "gamut_coverage": gamut,
      "clip_point": optional(verification.clipPoint.map { number($0, 4) }),
      "black": optional(verification.black.map { number($0, 6) }),
      "faults": verification.faults.map { ["name": $0.name, "explanation": $0.explanation] },
      "notes": verification.notes,
    ]
  }

  private var counts: [String: Any] {
    let counts = verification.counts
    return [
      "patches": counts.all, "passed": counts.passing, "failed": counts.failing, "unmeasured": counts.unmeasured,
    ]
  }

  private var pattern: [String: Any] {
    let canvas = verification.canvas
    return [
      "name": verification.pattern.name, "summary": verification.pattern.summary,
      "source": verification.pattern.source,
      "canvas": [
        "width": canvas.size.width, "height": canvas.size.height, "scale": number(canvas.scale),
        "kind": canvas.signal.kind.rawValue, "range": "\(canvas.signal.range)", "bit_depth": canvas.signal.bitDepth,
        "values": canvas.values.mapValues { number($0, 6) },
      ],
    ]
  }

  private var gamut: [[String: Any]] {
    (verification.gamut?.coverage ?? []).map { ["gamut": "\($0.gamut)", "share": number($0.share)] }
  }

  private func describe(_ placement: Placement) -> [String: Any] {
    return [
      "words": placement.words, "exact": placement.isExact, "fills_picture": placement.fills,
      "orientation": placement.orientation.words ?? "not rotated", "mirrored": placement.orientation.isMirrored,
      "x": number(placement.origin.x), "y": number(placement.origin.y), "scale_x": number(placement.scale.x, 6),
      "scale_y": number(placement.scale.y, 6), "canvas": describe(placement.canvas),
      "picture": describe(placement.picture), "cut_off": describe(placement.cutOff), "boxed": describe(placement.box),
    ]
  }

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

  func describe(_ result: PatchResult) -> [String: Any] {
    var object: [String: Any] = [
      "name": result.patch.name, "group": result.patch.group, "rectangle": optional(result.area.map(describe)),
      "passed": result.passes, "measured": optional(nil),
      "expected": light(signal: result.expected, codes: result.expectedCodes, nits: result.expectedNits),
      "reason": optional(result.reason), "rejected": optional(nil), "code_error": optional(nil),
      "delta_e_itp": optional(nil), "worst_delta_e_itp": optional(nil),
      "noise_codes": optional(nil),
    ]
    if let measured = result.measured {
      object["measured"] = light(signal: measured.signal, codes: measured.codes, nits: measured.nits)
      object["code_error"] = numbers(measured.codes - result.expectedCodes, 3)
      object["delta_e_itp"] = number(measured.deltaE)
      object["worst_delta_e_itp"] = number(measured.worstDeltaE)
      object["noise_codes"] = number(measured.noise)
      object["rejected"] = number(measured.rejected)
    }
    return object
  }

  private func light(signal: SIMD3<Double>, codes: SIMD3<Double>, nits: SIMD3<Double>) -> [String: Any] {
    let color = verification.color(nits)
    return [
      "signal": numbers(signal, 6), "codes": numbers(codes, 3), "nits": numbers(nits, 5),
      "luminance": number(color.luminance, 5),
      "xy": optional(color.chromaticity.map { [number($0.x, 5), number($0.y, 5)] }),
    ]
  }

  func describe(_ ramp: RampResult) -> [String: Any] {
    [
      "name": ramp.name, "rectangle": optional(ramp.area.map(describe)), "passed": ramp.passes,
      "reason": optional(ramp.reason),
      "mean_delta_e_itp": optional(ramp.isMeasured ? number(ramp.meanDeltaE) : nil),
      "worst_delta_e_itp": optional(ramp.isMeasured ? number(ramp.worstDeltaE) : nil),
      "levels": optional(ramp.isMeasured ? ramp.levels : nil), "expected_levels": ramp.expectedLevels,
      "points": ramp.points(maximum: Self.maximumRampPoints).map {
        ["position": number($0.position, 5), "expected": number($0.expected, 6), "measured": number($0.measured, 6)]
      },
    ]
  }

  func describe(_ result: DetailResult) -> [String: Any] {
    [
      "name": result.detail.name, "kind": result.detail.kind.rawValue,
      "rectangle": optional(result.area.map(describe)),
      "shift": optional(result.shift.map { [number($0.x), number($0.y)] }),
      "contrast": optional(result.contrast.map { number($0) }), "covered": number(result.covered),
      "passed": result.passes,
      "reason": optional(result.reason),
    ]
  }

  func describe(_ frames: FrameResult) -> [String: Any] {
    [
      "first": frames.first, "last": frames.last, "repeated": frames.repeated,
      "dropped": frames.dropped.map { ["after": $0.after, "count": $0.count] }, "reordered": frames.reordered,
      "unreadable": frames.unreadable, "torn": frames.torn, "blended": frames.blended, "passed": frames.passes,
    ]
  }
}

extension VerificationJSON {
  /// Returns null for nil.
  func optional(_ value: Any?) -> Any { value ?? NSNull() }

  /// Rounds to a number of decimals; null if not finite, which JSON cannot represent.
  func number(_ value: Double, _ decimals: Int = 4) -> Any {
    guard value.isFinite else { return NSNull() }
    let unit = pow(10, Double(decimals))
    let rounded = (value * unit).rounded() / unit
    return rounded.isFinite ? rounded + 0 : value
  }

  func numbers(_ values: SIMD3<Double>, _ decimals: Int = 4) -> [Any] {
    [values.x, values.y, values.z].map { number($0, decimals) }
  }

  func describe(_ size: Size) -> [String: Any] { ["width": size.width, "height": size.height] }

  private func describe(_ margins: Placement.Margins) -> [String: Any] {
    ["left": margins.left, "top": margins.top, "right": margins.right, "bottom": margins.bottom]
  }

  func describe(_ area: PictureArea) -> [String: Any] {
    ["x": area.x, "y": area.y, "width": area.width, "height": area.height]
  }
}
