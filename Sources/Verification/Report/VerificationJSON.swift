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
  /// Maximum number of points per ramp.
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
