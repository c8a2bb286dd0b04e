public import ColorScience
internal import Foundation
internal import Rendering
internal import SIMDShims

/// A sixth of all hues: the colours nearest to a primary or secondary of BT.709, by direction from D65 in CIE 1976 u',
/// v'.
public enum HueSector: String, Sendable, Hashable, CaseIterable {
  /// The primaries and secondaries, by increasing hue angle.
  case red, yellow, green, cyan, blue, magenta

  /// Colours closer to white than this in u', v' have no hue. Source: the just noticeable distance is about 0.004.
  public static let minimumDistance = 0.01

  /// Linear BT.709 of the hue itself.
  private var color: SIMD3<Double> {
    switch self {
    case .red: SIMD3(1, 0, 0)
    case .yellow: SIMD3(1, 1, 0)
    case .green: SIMD3(0, 1, 0)
    case .cyan: SIMD3(0, 1, 1)
    case .blue: SIMD3(0, 0, 1)
    case .magenta: SIMD3(1, 0, 1)
    }
  }

  /// Direction from white in u', v', in radians counterclockwise from the u' axis, non-negative.
  private var angle: Double {
    let uniform = DisplayColor(nits: color * 100, in: .bt709).chromaticity?.uniform ?? .zero
    let direction = uniform - Chromaticity.d65.uniform
    let angle = atan2(direction.y, direction.x)
    return angle < 0 ? angle + 2 * .pi : angle
  }

  /// Start angles of the sectors: halfway between their hue and the previous one.
  private static let starts: [Double] = allCases.indices.map { index in
    let hue = allCases[index].angle
    let before = index == 0 ? allCases[allCases.count - 1].angle - 2 * .pi : allCases[index - 1].angle
    return (hue + before) / 2
  }

  /// Returns the sector of a colour; nil for near-neutral colours and black.
  /// - Parameters:
  ///   - rgb: Linear components.
  ///   - primaries: Primaries of the components.
  public static func of(_ rgb: SIMD3<Double>, in primaries: RGBSpace) -> HueSector? {
    let plane = Plane(primaries)
    let (x, y, unit) = ((plane.horizontal * rgb).sum(), (plane.vertical * rgb).sum(), (plane.unit * rgb).sum())
    guard x * x + y * y >= minimumDistance * minimumDistance * unit * unit, x != 0 || y != 0 else { return nil }
    let angle = atan2(y, x)
    // The first sector begins below zero.
    let index = starts.indices.last { starts[$0] <= angle } ?? starts.indices.last { starts[$0] <= angle + 2 * .pi }
    return index.map { allCases[$0] }
  }

  /// u' = 4X / (X + 15Y + 3Z) and v' = 9Y / (X + 15Y + 3Z), minus white, as sums of the components.
  /// Source: ISO/CIE 11664-5:2016, clause 4.1.
  private struct Plane {
    let horizontal: SIMD3<Double>
    let vertical: SIMD3<Double>
    let unit: SIMD3<Double>

    init(_ primaries: RGBSpace) {
      let xyz = primaries.rgbToXYZ
      let white = primaries.white.uniform
      unit = xyz.row0 + 15 * xyz.row1 + 3 * xyz.row2
      horizontal = 4 * xyz.row0 - white.x * unit
      vertical = 9 * xyz.row1 - white.y * unit
    }
  }

  /// The kernel parameters; sectors are numbered from 1 in the order of the cases.
  static func parameters(_ primaries: RGBSpace) -> hr_hues {
    let plane = Plane(primaries)
    let (x, y) = (starts.map { Float(cos($0)) }, starts.map { Float(sin($0)) })
    return hr_hues(
      horizontal: plane.horizontal.kernelRow, vertical: plane.vertical.kernelRow, unit: plane.unit.kernelRow,
      neutral: Float(minimumDistance * minimumDistance), x: (x[0], x[1], x[2], x[3], x[4], x[5]),
      y: (y[0], y[1], y[2], y[3], y[4], y[5]))
  }
}
