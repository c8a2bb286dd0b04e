internal import ColorScience
internal import Foundation
internal import Frames
package import Media
internal import Rendering
public import ToneMapping

/// A look-up table and its complete description.
public struct LUTPlan: Sendable, Hashable, Codable {
  /// The request.
  public let request: LUTRequest
  /// How the input is interpreted.
  public let source: SourcePlan
  /// The output of the table.
  public let target: TargetPlan
  /// Signal of the content's peak; 1 for content without absolute luminance.
  public let end: Double

  init(_ request: LUTRequest, _ source: SourcePlan) throws(Refusal) {
    guard request.mapping.curve != .hdr10Plus else {
      throw .invalid(
        "table-of-changing-curve",
        "\(.toneMap, "st2094-40") changes from shot to shot, which a table cannot: choose another one.")
    }
    self.request = request
    self.source = source
    target = try TargetPlan(source, request.mapping)
    end = source.color.transfer == .pq ? PQ.inverseEOTF(target.mapping.contentPeak ?? PQ.peak) : 1
    if request.shaper != .none, end == 1 {
      throw .invalid(
        "shaper-needs-lower-peak",
        "\(.shaper) is for PQ content that does not reach 10000 cd/m²: this content uses the whole signal.")
    }
    if request.overrides.contentPeak != nil, source.color.transfer != .pq {
      throw .invalid(
        "content-peak-needs-pq", "\(.contentPeak) is for PQ: other signals do not say how bright they are.")
    }
  }

  /// Description of the table, in ASCII.
  public var title: String {
    target.summary(from: source, hasGamut: request.dimensions == .three)
      .replacingOccurrences(of: "cd/m²", with: "cd/m2")
  }

  var mapping: SignalMapping {
    SignalMapping(
      source: source.interpretation.transfer, stages: target.rendering.stages(for: nil), target: target.transfer,
      display: target.codedDisplay)
  }

  /// The table.
  public func makeLUT() -> SignalLUT {
    switch request.dimensions {
    case .one: SignalLUT(curveOf: mapping, size: request.nodes)
    case .three: SignalLUT(cubeOf: mapping, size: request.nodes, end: request.shaper == .none ? nil : end)
    }
  }

  /// Returns the texts of the table's file and of its shaper's file.
  public func texts(_ lut: SignalLUT) -> (table: String, shaper: String?) {
    guard let shaper = lut.shaper, case .cube(let cube) = lut.table else { return (text().text(lut.table), nil) }
    if request.shaper == .combined {
      return (text("The 1D LUT goes before the 3D one.").text(cube, shaper: shaper), nil)
    }
    return (
      text("Goes after the 1D LUT of the file .shaper.cube, and is nothing without it.").text(lut.table),
      text("Goes before the 3D LUT of the file without .shaper, and is nothing without it.").text(.curve(shaper))
    )
  }

  private func text(_ usage: String? = nil) -> CubeText {
    let range = end < 1 ? " (the content ends at \(String(format: "%.4f", end)))" : ""
    let comments = [
      "By \(Program.name).", "In: full-range R'G'B' of 0 to 1, \(words(source.color))\(range).",
      "Out: full-range R'G'B' of 0 to 1, \(request.mapping.kind == .display ? "the display's own" : words(target.color)).",
    ]
    return CubeText(title: title, comments: comments + [usage].compactMap(\.self))
  }

  private func words(_ color: ColorDescription) -> String {
    // Camera curves are displayed with BT.1886.
    "\(color.transfer == .bt709 ? "BT.1886" : "\(color.transfer)") in \(color.primaries)"
  }
}

extension Session {
  /// Resolves a request against its input, if it has one.
  /// - Throws: `Refusal` for impossible requests, or the error of a library.
  public func plan(_ request: LUTRequest) throws -> LUTPlan {
    try request.validate()
    let plan = try LUTPlan(request, sourcePlan(request))
    warn(plan.source.warnings + plan.target.warnings)
    note(plan.source.notes)
    return plan
  }

  private func sourcePlan(_ request: LUTRequest) throws -> SourcePlan {
    guard let input = request.input else { return try SourcePlan(stated: request.overrides) }
    let reader = try input.open()
    let frame = try reader.firstFrame(of: FrameSelection())
    return try SourcePlan(
      frame: frame, name: input.name, overrides: request.overrides, isStrict: request.isStrict, use: nil)
  }

  /// Returns the files for results written at the end, checked before the work begins; nil for standard output.
  /// - Parameter inputs: Input files, which must not be overwritten.
  package func outputFiles(_ names: [String], reading inputs: [String], overwrites: Bool) throws -> [OutputFile?] {
    try names.map { try OutputPath($0).file(reading: inputs, overwrites: overwrites) }
  }
}
