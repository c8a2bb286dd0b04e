public import ColorScience
internal import Foundation
internal import Frames
internal import Media
internal import Rendering

/// Blends layers of graphics over each other in linear light.
struct OverlayCanvas {
  private let size: Size
  private let firstRow: Int
  private var spans: [LightOverlay.Span] = []
  private var samples: [SIMD4<Float>] = []

  /// - Parameter areas: Areas of the layers; parts outside the picture are clipped.
  init(_ size: Size, _ areas: [PictureArea]) {
    self.size = size
    let visible = areas.map { $0.intersection(PictureArea(size)) }.filter { !$0.isEmpty }
    let top = visible.reduce(Int.max) { min($0, $1.y) }
    guard !visible.isEmpty else {
      firstRow = 0
      return
    }
    firstRow = top
    var ends = [(left: Int, right: Int)](repeating: (.max, 0), count: visible.reduce(0) { max($0, $1.maxY) } - top)
    for area in visible {
      for row in area.y - top..<area.maxY - top {
        ends[row] = (min(ends[row].left, area.x), max(ends[row].right, area.maxX))
      }
    }
    var offset = 0
    spans = ends.map { end in
      let count = max(end.right - min(end.left, end.right), 0)
      defer { offset += count }
      return LightOverlay.Span(first: count > 0 ? end.left : 0, count: count, offset: offset)
    }
    samples = [SIMD4<Float>](repeating: .zero, count: offset)
  }

  /// Blends a uniform light through a mask.
  /// - Parameters:
  ///   - mask: Coverage in 255ths, with a row stride of `stride` bytes.
  ///   - alpha: Opacity at full coverage.
  @unsafe
  mutating func blend(
    _ mask: UnsafePointer<UInt8>, stride: Int, at area: PictureArea, light: SIMD3<Float>, alpha: Float
  ) {
    let (visible, opaque) = (area.intersection(PictureArea(size)), SIMD4(light, 1))
    for y in visible.y..<max(visible.maxY, visible.y) {
      let span = spans[y - firstRow]
      let row = unsafe mask + (y - area.y) * stride
      for x in visible.x..<visible.maxX {
        let coverage = unsafe row[x - area.x]
        if coverage == 0 { continue }
        let share = alpha * Float(coverage) / 255
        let index = span.offset + x - span.first
        samples[index] = samples[index] * (1 - share) + opaque * share
      }
    }
  }

  /// Blends premultiplied samples, row by row.
  mutating func blend(_ picture: [SIMD4<Float>], at area: PictureArea) {
    let visible = area.intersection(PictureArea(size))
    for y in visible.y..<max(visible.maxY, visible.y) {
      let span = spans[y - firstRow]
      for x in visible.x..<visible.maxX {
        let sample = picture[(y - area.y) * area.width + x - area.x]
        let index = span.offset + x - span.first
        samples[index] = samples[index] * (1 - sample.w) + sample
      }
    }
  }

  /// Returns the layers; nil if there are none.
  /// - Parameter turn: How a player rotates the coded pixels for display.
  func overlay(turnedBy turn: Orientation) -> LightOverlay? {
    guard !samples.isEmpty else { return nil }
    if turn == .identity { return LightOverlay(firstRow: firstRow, spans: spans, samples: samples) }
    let coded = turn.rotated(size)
    func forEachSample(_ body: (_ x: Int, _ y: Int, SIMD4<Float>) -> Void) {
      for (row, span) in spans.enumerated() {
        for column in 0..<span.count {
          let place = turn.source(x: span.first + column, y: firstRow + row, in: coded)
          body(place.x, place.y, samples[span.offset + column])
        }
      }
    }
    var area = (left: Int.max, right: 0, top: Int.max, bottom: 0)
    forEachSample { x, y, _ in
      area = (min(area.left, x), max(area.right, x + 1), min(area.top, y), max(area.bottom, y + 1))
    }
    let width = area.right - area.left
    var turned = [SIMD4<Float>](repeating: .zero, count: width * (area.bottom - area.top))
    forEachSample { x, y, sample in turned[(y - area.top) * width + x - area.left] = sample }
    return LightOverlay(
      firstRow: area.top,
      spans: (0..<area.bottom - area.top).map { LightOverlay.Span(first: area.left, count: width, offset: $0 * width) },
      samples: turned)
  }
}

/// Converts graphics colours to the coded light of an output, with graphics white at 1.
///
/// In HLG, coded light is scene light. White is defined by its signal, and colours are chosen so that their light on
/// the display matches sRGB. Source: ITU-R BT.2100-2, table 5.
public struct GraphicsLight: Sendable {
  private let matrix: Matrix3
  private let wideMatrix: Matrix3
  private let gamma: Double

  /// - Parameters:
  ///   - primaries: Primaries of the coded light.
  ///   - systemGamma: Exponent of the OOTF from coded light to display light; 1: they are the same.
  public init(primaries: RGBSpace, systemGamma: Double = 1) {
    matrix = RGBSpace.conversion(from: .bt709, to: primaries)
    wideMatrix = RGBSpace.conversion(from: .bt2020, to: primaries)
    gamma = systemGamma
  }

  /// Returns the non-negative light of an sRGB colour.
  func light(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> SIMD3<Float> {
    light(SIMD4(red, green, blue, 255), .sRGB)
  }

  /// Returns the non-negative light of a palette colour, ignoring alpha.
  func light(_ code: SIMD4<UInt8>, _ coding: PaletteCoding) -> SIMD3<Float> {
    let matrices: [PaletteCoding: YCbCrMatrix] = [.bt601: .bt601, .bt709: .bt709, .bt2020PQ: .bt2020]
    let codes = SIMD3(Int(code.x), Int(code.y), Int(code.z))
    var signal = SIMD3(Double(codes.x), Double(codes.y), Double(codes.z)) / 255
    if let weights = matrices[coding] {
      let (luma, blue, red) = (
        Self.scale.luma(fromCode: codes.x), Self.scale.chroma(fromCode: codes.y), Self.scale.chroma(fromCode: codes.z)
      )
      signal = weights.rgb(fromYCbCr: SIMD3(luma, blue, red)).clamped(lowerBound: .zero, upperBound: .one)
    }
    if coding == .bt2020PQ {
      return coded(Self.linear(signal) { PQ.eotf($0) / Self.whiteOfPQ }, wideMatrix, limit: PQ.peak / Self.whiteOfPQ)
    }
    return coded(Self.linear(signal, SRGB.eotf), matrix, limit: 1)
  }

  private static let scale = SampleScale(bitDepth: 8, range: .narrow)

  /// Luminance of graphics white in eight-bit PQ: code 143, the nearest to 203 cd/m². Source: ITU-R BT.2408-7, 2.1.
  private static let whiteOfPQ = PQ.eotf(scale.luma(fromCode: scale.code(fromLuma: PQ.inverseEOTF(203))))

  private static func linear(_ signal: SIMD3<Double>, _ eotf: (Double) -> Double) -> SIMD3<Double> {
    SIMD3(eotf(signal.x), eotf(signal.y), eotf(signal.z))
  }

  /// Converts display light to coded light.
  private func coded(_ linear: SIMD3<Double>, _ matrix: Matrix3, limit: Double) -> SIMD3<Float> {
    // Matrix rounding errors would make white slightly more or less than 1.
    if linear.x == linear.y, linear.y == linear.z { return SIMD3(repeating: Float(pow(linear.x, 1 / gamma))) }
    var rgb = matrix * linear
    rgb.clamp(lowerBound: .zero, upperBound: SIMD3(repeating: limit))
    // F = Y^(γ-1) E, so E = F · Y(F)^((1-γ)/γ).
    let luminance = (rgb * HLG.luminance).sum()
    if gamma != 1, luminance > 0 { rgb *= pow(luminance, (1 - gamma) / gamma) }
    return SIMD3(Float(rgb.x), Float(rgb.y), Float(rgb.z))
  }
}
