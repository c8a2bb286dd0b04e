internal import Foundation
public import Frames

/// How a player rotates and mirrors the picture; passed from reader to writer unchanged.
public struct DisplayMatrix: Sendable, Hashable, Codable {
  /// Nine 16.16 and 2.30 fixed-point numbers, as in the track header of ISO/IEC 14496-12.
  package let elements: [Int32]

  /// - Returns: nil unless there are nine elements.
  package init?(_ elements: [Int32]) {
    guard elements.count == 9 else { return nil }
    self.elements = elements
  }

  /// A rotation by `degrees` counterclockwise, without mirroring.
  public init(counterclockwise degrees: Double) {
    let (cosine, sine) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
    func fixed(_ value: Double) -> Int32 { Int32(value * 65_536) }
    elements = [fixed(cosine), fixed(-sine), 0, fixed(sine), fixed(cosine), 0, 0, 0, 1 << 30]
  }

  /// A rotation by multiples of 90°, or mirroring.
  package init(_ orientation: Orientation) {
    let one: Int32 = 1 << 16
    let (columns, rows) = (orientation.reversesColumns ? -one : one, orientation.reversesRows ? -one : one)
    elements =
      orientation.swapsAxes ? [0, columns, 0, rows, 0, 0, 0, 0, 1 << 30] : [columns, 0, 0, 0, rows, 0, 0, 0, 1 << 30]
  }

  /// Whether the picture is mirrored, rotated or not.
  package var isMirrored: Bool {
    Double(elements[0]) * Double(elements[4]) - Double(elements[1]) * Double(elements[3]) < 0
  }

  /// Degrees counterclockwise, as ffprobe's `rotation`: -180...180; 0 if the matrix is singular.
  public var rotation: Double {
    let (a, b, c, d) = (Double(elements[0]), Double(elements[1]), Double(elements[3]), Double(elements[4]))
    let scales = (hypot(a, c), hypot(b, d))
    guard scales.0 > 0, scales.1 > 0 else { return 0 }
    return -atan2(b / scales.1, a / scales.0) * 180 / .pi
  }

  /// The rotation by multiples of 90° or mirroring that the matrix represents, ignoring scale and translation; nil for
  /// other matrices.
  ///
  /// Source: ISO/IEC 14496-12:2022, 6.2.2: p' = a p + c q + x, q' = b p + d q + y, rows (a, b, u), (c, d, v), (x, y,
  /// w).
  public var orientation: Orientation? {
    let (a, b, c, d) = (elements[0], elements[1], elements[3], elements[4])
    guard elements[2] == 0, elements[5] == 0 else { return nil }
    if b == 0, c == 0, a != 0, a.magnitude == d.magnitude {
      return Orientation(swapsAxes: false, reversesColumns: a < 0, reversesRows: d < 0)
    }
    if a == 0, d == 0, b != 0, b.magnitude == c.magnitude {
      return Orientation(swapsAxes: true, reversesColumns: b < 0, reversesRows: c < 0)
    }
    return nil
  }
}
