import ColorScience
import Frames
import Lettering
import Scopes

/// A layout with its painter, and what is on pictures of it.
struct PaintedScopes {
  let layout: ScopeLayout
  private let painter: ScopePainter

  init(
    _ kinds: [ScopeKind], width: Int = 900, height: Int = 600, scale: Double = 1, plane: VectorPlane = .ictcp,
    marks: ScopeMarks = ScopeMarks(peak: 600)
  ) throws {
    layout = try ScopeLayout(kinds: kinds, size: Size(width: width, height: height), scale: scale)
    painter = ScopePainter(
      layout: layout, plane: plane, primaries: .bt2020, marks: marks, typeface: try .default())
  }

  func frame() -> CodedFrame {
    let format = ScopePainter.format(layout.size)
    return CodedFrame(size: format.size, layout: format.layout, color: format.color)
  }

  func paint(_ counts: ScopeCounts, into frame: CodedFrame) { painter.paint(counts, into: frame) }

  func painted(_ counts: ScopeCounts) -> CodedFrame {
    let frame = frame()
    painter.paint(counts, into: frame)
    return frame
  }

  /// The picture without traces.
  var ground: CodedFrame { painted(ScopeCounts(size: Size(width: 16, height: 16), columns: 1)) }

  /// Pixels that the counts change.
  func lit(_ counts: ScopeCounts) -> Set<Pixel> {
    let (ground, picture) = (ground, painted(counts))
    var lit = Set<Pixel>()
    for y in 0..<layout.size.height {
      for x in 0..<layout.size.width where picture.rgb(x, y) != ground.rgb(x, y) { lit.insert(Pixel(x: x, y: y)) }
    }
    return lit
  }
}

struct Pixel: Hashable {
  let x: Int
  let y: Int
}

extension CodedFrame {
  /// Red, green and blue of a pixel of planes of green, blue and red.
  func rgb(_ x: Int, _ y: Int) -> SIMD3<Int> {
    SIMD3(sample(plane: 2, x: x, y: y), sample(plane: 0, x: x, y: y), sample(plane: 1, x: x, y: y))
  }

  /// Y of a pixel, of white's 1.
  func luminance(_ x: Int, _ y: Int) -> Double {
    let rgb = rgb(x, y)
    let light = SIMD3(
      SRGB.eotf(Double(rgb.x) / 255), SRGB.eotf(Double(rgb.y) / 255), SRGB.eotf(Double(rgb.z) / 255))
    return (light * RGBSpace.bt709.luminance).sum()
  }

  /// Of all planes, row by row.
  var bytes: [UInt8] {
    (0..<3).flatMap { plane in
      (0..<size.height).flatMap { y in (0..<size.width).map { UInt8(sample(plane: plane, x: $0, y: y)) } }
    }
  }
}

/// Levels of `columns` columns of which one has pixels.
func levels(columns: Int, _ column: Int, _ level: Int, count: UInt16 = 1) -> [UInt16] {
  var levels = [UInt16](repeating: 0, count: columns * ScopeCounts.levels)
  levels[column * ScopeCounts.levels + level] = count
  return levels
}

/// Bins of a plane of which one has pixels.
func plane(_ x: Int, _ y: Int, count: UInt32 = 1) -> [UInt32] {
  var bins = [UInt32](repeating: 0, count: ScopeCounts.side * ScopeCounts.side)
  bins[y * ScopeCounts.side + x] = count
  return bins
}
