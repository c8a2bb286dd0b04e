internal import ColorScience
internal import Foundation
internal import Frames
package import Patterns

/// A pattern on its canvas: as text for users, as JSON for programs.
package struct PatternReport {
  private let plan: PatternPlan
  private let light: PatternLight
  private let pattern: TestPattern
  private let canvas: PatternCanvas

  package init(_ plan: PatternPlan, _ light: PatternLight) throws {
    (self.plan, self.light) = (plan, light)
    pattern = try ChosenPattern(plan.request.pattern).pattern
    canvas = try plan.canvas()
  }

  private var signal: PatternSignal { plan.signal }

  /// All patterns, one per line.
  package static var list: String {
    let width = TestPattern.all.map(\.name.count).max() ?? 0
    return TestPattern.all.map { pattern in
      pattern.name.padding(toLength: width + 2, withPad: " ", startingAt: 0) + pattern.summary
    }.joined(separator: "\n")
  }

  package static func listJSON() throws -> String { try JSON.text(["patterns": TestPattern.all.map(fields)]) }

  private static func fields(_ pattern: TestPattern) -> [String: Any] {
    [
      "name": pattern.name, "summary": pattern.summary, "source": pattern.source,
      "kinds": pattern.kinds.map(\.rawValue), "ranges": pattern.ranges.map(\.words),
      "least_bit_depth": pattern.minimumBitDepth, "moving": pattern.isMoving,
      "parameters": pattern.parameters.map { parameter -> [String: Any] in
        [
          "name": parameter.name, "summary": parameter.summary, "minimum": parameter.range.lowerBound,
          "maximum": parameter.range.upperBound, "default": parameter.default, "whole": parameter.isCount,
        ]
      },
    ]
  }

  package func json() throws -> String {
    let drawing = pattern.drawing(on: canvas, frame: 0)
    var object = Self.fields(pattern)
    object["canvas"] = [
      "width": canvas.size.width, "height": canvas.size.height, "scale": canvas.scale,
      "kind": signal.kind.rawValue, "transfer": signal.transfer.rawValue, "primaries": signal.primaries.rawValue,
      "range": signal.range.words, "bit_depth": signal.bitDepth, "values": canvas.values,
    ]
    object["patches"] = drawing.patches.map(fields)
    object["ramps"] = drawing.ramps.map { ramp -> [String: Any] in
      [
        "name": ramp.name, "rectangle": rectangle(ramp.area), "axis": ramp.axis.rawValue,
        "first": codes(ramp.signal(0)), "last": codes(ramp.signal(max(ramp.length - 1, 0))),
      ]
    }
    object["details"] = drawing.details.map {
      ["name": $0.name, "kind": $0.kind.rawValue, "rectangle": rectangle($0.area)] as [String: Any]
    }
    object["frame_code"] = drawing.frameCode.map(rectangle)
    if signal.kind == .hdr10 {
      object["max_cll"] = Int(light.contentLight.maxCLL)
      object["max_fall"] = Int(light.contentLight.maxFALL)
    }
    return try JSON.text(object)
  }

  private func fields(_ patch: PatternDrawing.Patch) -> [String: Any] {
    let nits = signal.nits(patch.signal)
    let color = DisplayColor(nits: nits, in: signal.space)
    return JSON.fields([
      ("name", patch.name), ("group", patch.group), ("rectangle", rectangle(patch.area)),
      ("codes", codes(patch.signal)), ("signal", numbers(patch.signal)), ("nits", numbers(nits)),
      ("luminance", rounded(color.luminance)), ("xy", color.chromaticity.map { [rounded($0.x), rounded($0.y)] }),
    ])
  }

  private func rectangle(_ area: PictureArea) -> [String: Int] {
    ["x": area.x, "y": area.y, "width": area.width, "height": area.height]
  }

  private func codes(_ patch: SIMD3<Double>) -> [Int] {
    let codes = signal.codes(patch)
    return [codes.x, codes.y, codes.z]
  }

  private func numbers(_ value: SIMD3<Double>) -> [Double] { [rounded(value.x), rounded(value.y), rounded(value.z)] }

  /// Rounds to seven significant digits.
  private func rounded(_ value: Double) -> Double { Double(String(format: "%.7g", value)) ?? value }

  /// The report for users.
  package var text: String {
    let drawing = pattern.drawing(on: canvas, frame: 0)
    var lines = [
      "\(pattern.name): \(pattern.summary)", "Source: \(pattern.source)",
      "Kinds: \(pattern.kinds.map(\.title).joined(separator: ", ")); \(pattern.ranges.map(\.words).joined(separator: " or ")) range, at least \(pattern.minimumBitDepth) bits.",
    ]
    if !pattern.parameters.isEmpty {
      lines.append("Parameters (\(pattern.name)=k=v:k=v):")
      lines += pattern.parameters.map {
        $0.isSwitch
          ? "  \($0.name): \($0.summary) (\($0.text($0.default)))"
          : "  \($0.name): \($0.summary), \($0.range.lowerBound.words) to \($0.range.upperBound.words) (\($0.default.words))"
      }
    }
    let size = canvas.size
    lines.append("")
    lines.append("As \(signal.kind.title), \(size), \(signal.bitDepth) bits, \(signal.range.words) range:")
    if signal.kind == .hdr10 {
      lines.append("MaxCLL \(light.contentLight.maxCLL) cd/m², MaxFALL \(light.contentLight.maxFALL) cd/m²")
    }
    return (lines + table(drawing)).joined(separator: "\n")
  }

  private func table(_ drawing: PatternDrawing) -> [String] {
    guard !drawing.patches.isEmpty else { return ["It has no patches: ramps and details are measured."] }
    let width = min(drawing.patches.map { $0.group.count + $0.name.count + 2 }.max() ?? 0, 44)
    let header =
      "patch".padding(toLength: width, withPad: " ", startingAt: 0)
      + "     R'    G'    B'        cd/m²       x       y  rectangle"
    return [header]
      + drawing.patches.map { patch in
        let (codes, color) = (
          signal.codes(patch.signal), DisplayColor(nits: signal.nits(patch.signal), in: signal.space)
        )
        let xy = color.chromaticity.map { String(format: "%.4f  %.4f", $0.x, $0.y) } ?? "     -       -"
        let name = "\(patch.group): \(patch.name)".padding(toLength: width, withPad: " ", startingAt: 0)
        return name
          + String(format: "  %5d %5d %5d %12.4f  ", codes.x, codes.y, codes.z, color.luminance) + xy
          + "  \(patch.area.width)x\(patch.area.height)+\(patch.area.x)+\(patch.area.y)"
      }
  }
}
