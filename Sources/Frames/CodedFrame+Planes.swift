extension PixelLayout {
  /// The same samples with one plane per component.
  public var planar: PixelLayout {
    var layout = self
    layout.packing = .planar
    return layout
  }
}

extension CodedFrame {
  /// The same code values with one plane per component: this frame if it is already planar.
  public var planar: CodedFrame {
    if layout.packing == .planar { return self }
    let result = CodedFrame(
      size: size, layout: layout.planar, color: color, time: time, metadata: metadata, fieldOrder: fieldOrder)
    copyCodes(to: result)
    return result
  }

  /// Copies the code values of rows, each component to a separate plane; only before `frame` is handed on.
  /// - Parameters:
  ///   - rows: Rows of luma that begin at an even one, with the chroma rows that begin with them; nil: all.
  ///   - frame: A frame of the same size, in the planar form of this layout.
  public func copyCodes(rows: Range<Int>? = nil, to frame: CodedFrame) {
    for component in 0..<frame.layout.planeCount {
      let width = frame.layout.planeSize(component, of: size).width
      for row in layout.rows(of: component, in: rows ?? 0..<size.height) {
        copyCodes(of: component, row: row, columns: 0..<width, to: frame)
      }
    }
  }

  /// Copies some code values of one row.
  /// - Parameters:
  ///   - component: In plane order: Y', Cb, Cr, or G', B', R'.
  ///   - row: Row of the component.
  ///   - columns: Samples of the component in that row.
  ///   - frame: A frame of the same size, in the planar form of this layout.
  public func copyCodes(of component: Int, row: Int, columns: Range<Int>, to frame: CodedFrame) {
    precondition(frame.size == size && frame.layout == layout.planar && layout.samples == .integer)
    let place = layout.place(of: component)
    let extent = frame.layout.planeSize(component, of: size)
    precondition(row >= 0 && row < extent.height && columns.lowerBound >= 0 && columns.upperBound <= extent.width)
    let (first, count) = (place.first + place.step * columns.lowerBound, columns.count)
    unsafe withPlane(place.plane) { source in
      unsafe frame.withPlane(component) { target in
        let (from, to) = unsafe (source.row(row), target.row(row))
        if layout.bytesPerSample == 1 {
          unsafe Self.copy(
            from.assumingMemoryBound(to: UInt8.self) + first, step: place.step, shift: 0,
            to: to.assumingMemoryBound(to: UInt8.self) + columns.lowerBound, count)
        } else {
          unsafe Self.copy(
            from.assumingMemoryBound(to: UInt16.self) + first, step: place.step, shift: layout.sampleShift,
            to: to.assumingMemoryBound(to: UInt16.self) + columns.lowerBound, count)
        }
      }
    }
  }

  /// Counts the samples whose code values differ from another frame's.
  /// - Parameter frame: A frame of the same size, in the planar form of this layout.
  public func countChanges(in frame: CodedFrame) -> Int {
    let own = planar
    precondition(frame.size == size && frame.layout == own.layout)
    return (0..<own.layout.planeCount).reduce(0) { sum, index in
      unsafe sum
        + own.withPlane(index) { first in
          unsafe frame.withPlane(index) { second in
            (0..<(unsafe first.size.height)).reduce(0) { sum, y in
              let (one, other) = unsafe (first.row(y), second.row(y))
              return unsafe sum
                + (layout.bytesPerSample == 1
                  ? Self.changes(
                    one.assumingMemoryBound(to: UInt8.self), other.assumingMemoryBound(to: UInt8.self),
                    first.size.width)
                  : Self.changes(
                    one.assumingMemoryBound(to: UInt16.self), other.assumingMemoryBound(to: UInt16.self),
                    first.size.width))
            }
          }
        }
    }
  }

  private static func changes<Sample: FixedWidthInteger>(
    _ one: UnsafeMutablePointer<Sample>, _ other: UnsafeMutablePointer<Sample>, _ count: Int
  ) -> Int {
    var sum = 0
    for x in 0..<count where unsafe one[x] != other[x] { sum += 1 }
    return sum
  }

  /// Loops with constant steps are vectorized.
  private static func copy<Sample: FixedWidthInteger>(
    _ source: UnsafeMutablePointer<Sample>, step: Int, shift: Int, to target: UnsafeMutablePointer<Sample>, _ count: Int
  ) {
    switch step {
    case 1: for x in 0..<count { unsafe target[x] = source[x] >> Sample(shift) }
    case 2: for x in 0..<count { unsafe target[x] = source[2 * x] >> Sample(shift) }
    default: for x in 0..<count { unsafe target[x] = source[step * x] >> Sample(shift) }
    }
  }
}

extension PixelLayout {
  /// The rows of a component that begin in rows of luma.
  public func rows(of component: Int, in rows: Range<Int>) -> Range<Int> {
    guard component > 0, chromaShiftY == 1 else { return rows }
    return (rows.lowerBound + 1) / 2..<(rows.upperBound + 1) / 2
  }
}
