internal import ArgumentParser
internal import ColorScience
internal import Foundation
internal import Frames
internal import ToneMapping

/// A look-up table and all that is said about it.
struct LUTPlan {
  let source: SourcePlan
  let target: TargetPlan
  let options: LUTOptions
  let mapping: SignalMapping
  /// Signal of the content's peak; 1 for content that is relative to the signal.
  let end: Double

  init(_ source: SourcePlan, mapping options: MappingOptions, table: LUTOptions) throws {
    guard options.toneMap != MappingOptions.hdr10PlusCurve else {
      throw CommandFailure(
        "--tone-map \(MappingOptions.hdr10PlusCurve) changes from scene to scene, which a table cannot: name another curve.",
        .usage)
    }
    self.source = source
    self.options = table
    target = try TargetPlan(source, options: options)
    mapping = SignalMapping(
      source: source.interpretation.transfer, stages: target.way.stages(for: nil), target: target.transfer,
      display: target.display)
    end = source.color.transfer == .pq ? PQ.inverseEOTF(target.mapping.contentPeak ?? PQ.peak) : 1
    if table.shaper != .none, end == 1 {
      throw CommandFailure(
        "--shaper is for PQ content that does not reach 10000 cd/m²: this content uses the whole signal.", .usage)
    }
  }

  /// What the table does, in ASCII.
  var title: String {
    target.summary(from: source).replacingOccurrences(of: "cd/m²", with: "cd/m2")
  }

  /// The table.
  func makeLUT() -> SignalLUT {
    switch options.dimensions {
    case .one: SignalLUT(curveOf: mapping, size: options.nodes)
    case .three: SignalLUT(cubeOf: mapping, size: options.nodes, end: options.shaper == .none ? nil : end)
    }
  }

  /// The texts of the table's file and of its shaper's.
  func texts(_ lut: SignalLUT) -> (table: String, shaper: String?) {
    guard let shaper = lut.shaper, case .cube(let cube) = lut.table else { return (text().text(lut.table), nil) }
    if options.shaper == .combined {
      return (text("The 1D LUT goes before the 3D one.").text(cube, shaper: shaper), nil)
    }
    return (
      text("Goes after the 1D LUT of the file .shaper.cube, and is nothing without it.").text(lut.table),
      text("Goes before the 3D LUT of the file without .shaper, and is nothing without it.").text(.curve(shaper))
    )
  }

  private func text(_ usage: String? = nil) -> CubeText {
    CubeText(
      title: title,
      comments: ["By \(Headroom.program).", inputWords, outputWords] + [usage].compactMap(\.self))
  }

  private var inputWords: String {
    let range = end < 1 ? " (the content ends at \(String(format: "%.4f", end)))" : ""
    return "In: full-range R'G'B' of 0 to 1, \(words(source.color))\(range)."
  }

  private var outputWords: String { "Out: full-range R'G'B' of 0 to 1, \(words(target.color))." }

  private func words(_ color: ColorDescription) -> String {
    // Cameras' curves are shown by BT.1886.
    "\(color.transfer == .bt709 ? "BT.1886" : "\(color.transfer)") in \(color.primaries)"
  }
}
