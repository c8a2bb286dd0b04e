internal import ColorScience

extension PixelFormat {
  /// Bytes of the samples, without padding.
  public var byteCount: Int {
    (0..<layout.planeCount).reduce(0) { sum, index in
      let size = layout.planeSize(index, of: size)
      return sum + size.width * size.height * layout.bytesPerSample
    }
  }
}

extension CodedFrame {
  /// Fills everything outside an area with black; only before the frame is handed on.
  /// - Parameter area: Area inside the picture, with edges that the layout allows (`PixelLayout.begins`). The layout is
  ///   planar.
  public func fillBlack(outside area: PictureArea) {
    precondition(layout.packing == .planar && layout.samples == .integer)
    let scale = SampleScale(bitDepth: layout.bitDepth, range: color.range)
    for index in 0..<layout.planeCount {
      let isChroma = index > 0 && layout.components != .rgb
      let (shiftX, shiftY) = isChroma ? (layout.chromaShiftX, layout.chromaShiftY) : (0, 0)
      let value = Int((isChroma ? scale.chromaOffset : scale.lumaOffset).rounded())
      let (left, right) = (area.x >> shiftX, area.maxX >> shiftX)
      unsafe withPlane(index) { plane in
        for y in unsafe 0..<plane.size.height {
          let isBeside = y >= area.y >> shiftY && y < area.maxY >> shiftY
          let width = unsafe plane.size.width
          unsafe fill(plane, y, 0..<(isBeside ? left : width), value)
          if isBeside { unsafe fill(plane, y, right..<max(width, right), value) }
        }
      }
    }
  }

  private func fill(_ plane: Plane, _ y: Int, _ columns: Range<Int>, _ value: Int) {
    let row = unsafe plane.row(y)
    if layout.bytesPerSample == 1 {
      unsafe (row.assumingMemoryBound(to: UInt8.self) + columns.lowerBound).update(
        repeating: UInt8(truncatingIfNeeded: value), count: columns.count)
    } else {
      unsafe (row.assumingMemoryBound(to: UInt16.self) + columns.lowerBound).update(
        repeating: UInt16(truncatingIfNeeded: value), count: columns.count)
    }
  }

  /// The picture with each pixel as a square of four; the layout is planar R'G'B'.
  public func doubled() -> CodedFrame {
    precondition(layout.packing == .planar && layout.components == .rgb)
    let result = CodedFrame(
      size: Size(width: 2 * size.width, height: 2 * size.height), layout: layout, color: color, time: time)
    for index in 0..<layout.planeCount {
      unsafe withPlane(index) { source in
        unsafe result.withPlane(index) { target in
          for y in 0..<size.height {
            let (from, first, second) = unsafe (source.row(y), target.row(2 * y), target.row(2 * y + 1))
            if layout.bytesPerSample == 1 {
              unsafe Self.double(
                from.assumingMemoryBound(to: UInt8.self), first.assumingMemoryBound(to: UInt8.self), size.width)
            } else {
              unsafe Self.double(
                from.assumingMemoryBound(to: UInt16.self), first.assumingMemoryBound(to: UInt16.self), size.width)
            }
            unsafe second.copyMemory(from: first, byteCount: 2 * size.width * layout.bytesPerSample)
          }
        }
      }
    }
    return result
  }

  private static func double<Sample>(
    _ source: UnsafeMutablePointer<Sample>, _ target: UnsafeMutablePointer<Sample>, _ count: Int
  ) {
    for x in 0..<count {
      unsafe target[2 * x] = source[x]
      unsafe target[2 * x + 1] = source[x]
    }
  }
}
