extension Orientation {
  /// From the number that TIFF and Exif have for it.
  /// - Parameter code: 1...8.
  /// - Returns: nil for other numbers.
  /// Source: TIFF 6.0 (1992), "Orientation"; CIPA DC-008 (Exif 2.32), 4.6.4.
  public init?(exif code: Int) {
    switch code {
    case 1: self = .identity
    case 2: self = Orientation(swapsAxes: false, reversesColumns: true, reversesRows: false)
    case 3: self = .upsideDown
    case 4: self = Orientation(swapsAxes: false, reversesColumns: false, reversesRows: true)
    case 5: self = Orientation(swapsAxes: true, reversesColumns: false, reversesRows: false)
    case 6: self = .clockwise
    case 7: self = Orientation(swapsAxes: true, reversesColumns: true, reversesRows: true)
    case 8: self = .counterclockwise
    default: return nil
    }
  }
}
