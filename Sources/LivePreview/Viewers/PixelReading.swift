internal import Foundation
internal import Frames
internal import PreviewProtocol
internal import Sessions
internal import ToneMapping

/// A pixel selected by a viewer: code values of the input, and their light.
struct PixelReading {
  /// Column and row of the shown picture.
  let (x, y): (Int, Int)
  /// Y', Cb and Cr, or R', G' and B'; empty for light without code values.
  let codes: [Int]
  let layout: PixelLayout
  /// Light of the brightest component, in cd/m², from four pixels that share chroma; nil if it cannot be read.
  let nits: Double?

  /// - Parameter place: Fractions of the width and height of the shown picture, from 0 to below 1.
  init(_ frame: CodedFrame, at place: SIMD2<Double>, _ run: PreviewRun) {
    let orientation = run.plan.geometry.orientation
    let shown = orientation.rotated(frame.size)
    (x, y) = (Int(place.x * Double(shown.width)), Int(place.y * Double(shown.height)))
    let source = orientation.source(of: place)
    layout = frame.layout
    codes = Self.codes(frame, at: source)
    let target = run.renderer.target(of: 0).rendering.mapping?.display
    nits = run.probe.nits(
      frame, at: source, run.renderer.source(of: 0), sdrWhite: (target ?? run.plan.target.display).sdrWhite)
  }

  private static func codes(_ frame: CodedFrame, at place: SIMD2<Double>) -> [Int] {
    guard frame.layout.samples == .integer else { return [] }
    let x = min(max(Int(place.x * Double(frame.size.width)), 0), frame.size.width - 1)
    let y = min(max(Int(place.y * Double(frame.size.height)), 0), frame.size.height - 1)
    let planar = frame.planar
    let codes = (0..<planar.layout.planeCount).map { component in
      let isChroma = component > 0 && planar.layout.components != .rgb
      return planar.sample(
        plane: component, x: isChroma ? x >> planar.layout.chromaShiftX : x,
        y: isChroma ? y >> planar.layout.chromaShiftY : y)
    }
    // Planes are in the order of H.273: G, B, R.
    return planar.layout.components == .rgb ? [codes[2], codes[0], codes[1]] : codes
  }

  var answer: ServerAnswer {
    let fields: [(String, Any?)] = [
      ("x", x), ("y", y), ("code", codes), ("components", layout.components == .rgb ? "rgb" : "ycbcr"),
      ("bit_depth", layout.bitDepth), ("nits", nits),
    ]
    return .json((try? JSON.lineWithNulls(fields)) ?? "{}")
  }
}
