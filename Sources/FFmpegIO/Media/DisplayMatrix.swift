internal import CFFmpeg
public import Frames

/// How a player is to turn and mirror the picture; carried from a reader to a writer as it is.
public struct DisplayMatrix: Sendable, Hashable {
  /// Nine 16.16 and 2.30 fixed-point numbers, as in the track header of ISO/IEC 14496-12.
  let elements: [Int32]

  /// - Returns: nil unless there are nine elements.
  init?(_ elements: [Int32]) {
    guard elements.count == 9 else { return nil }
    self.elements = elements
  }

  /// A turn by `degrees` counterclockwise, without mirroring.
  public init(counterclockwise degrees: Double) {
    var matrix = [Int32](repeating: 0, count: 9)
    // FFmpeg's setter counts clockwise, its getter counterclockwise.
    unsafe av_display_rotation_set(&matrix, -degrees)
    elements = matrix
  }

  /// A quarter turn or mirroring.
  init(_ orientation: Orientation) {
    let one: Int32 = 1 << 16
    let (columns, rows) = (orientation.reversesColumns ? -one : one, orientation.reversesRows ? -one : one)
    elements =
      orientation.swapsAxes ? [0, columns, 0, rows, 0, 0, 0, 0, 1 << 30] : [columns, 0, 0, 0, rows, 0, 0, 0, 1 << 30]
  }

  /// The matrix as it lies on a stream.
  var sideData: StreamSideData {
    StreamSideData(
      type: AV_PKT_DATA_DISPLAYMATRIX.rawValue, bytes: unsafe elements.withUnsafeBytes { unsafe [UInt8]($0) })
  }

  /// The picture is to be shown as in a mirror, turned or not.
  var isMirrored: Bool {
    Double(elements[0]) * Double(elements[4]) - Double(elements[1]) * Double(elements[3]) < 0
  }

  /// Degrees counterclockwise, as ffprobe's `rotation`: -180...180; 0 where the matrix is singular.
  public var rotation: Double {
    let degrees = unsafe av_display_rotation_get(elements)
    return degrees.isFinite ? degrees : 0
  }

  /// The quarter turn or mirroring that the matrix is, moved and scaled alike on both axes or not; nil where it is none.
  ///
  /// Source: ISO/IEC 14496-12:2022, 6.2.2: p' = a p + c q + x, q' = b p + d q + y, rows (a, b, u), (c, d, v), (x, y, w).
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
