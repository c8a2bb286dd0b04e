extension PixelLayout {
  /// The same samples with a plane for each component.
  public var planar: PixelLayout {
    var layout = self
    layout.packing = .planar
    return layout
  }
}

extension CodedFrame {
  /// The same code values with a plane for each component: this frame if it has that already.
  public var planar: CodedFrame {
    if layout.packing == .planar { return self }
    let result = CodedFrame(
      size: size, layout: layout.planar, color: color, time: time, metadata: metadata, fieldOrder: fieldOrder)
    copyCodes(to: result)
    return result
  }

  /// Copies the code values, each component to a plane of its own; only before `frame` is handed on.
  /// - Parameter frame: A frame of the same size, whose layout is the planar one of this.
  public func copyCodes(to frame: CodedFrame) {
    precondition(frame.size == size && frame.layout == layout.planar && layout.samples == .integer)
    for component in 0..<frame.layout.planeCount {
      let place = layout.place(of: component)
      unsafe withPlane(place.plane) { source in
        unsafe frame.withPlane(component) { target in
          let count = unsafe target.size.width
          for y in unsafe 0..<target.size.height {
            let (from, to) = unsafe (source.row(y), target.row(y))
            if layout.bytesPerSample == 1 {
              unsafe Self.copy(
                from.assumingMemoryBound(to: UInt8.self) + place.first, step: place.step, shift: 0,
                to: to.assumingMemoryBound(to: UInt8.self), count)
            } else {
              unsafe Self.copy(
                from.assumingMemoryBound(to: UInt16.self) + place.first, step: place.step, shift: layout.sampleShift,
                to: to.assumingMemoryBound(to: UInt16.self), count)
            }
          }
        }
      }
    }
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
