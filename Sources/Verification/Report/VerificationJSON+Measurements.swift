internal import ColorScience
internal import Frames
internal import Patterns

extension VerificationJSON {
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
      "points": ramp.points(most: Self.maximumRampPoints).map {
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
