internal import Frames
internal import Rendering

/// Writes the rows of a scene image from planes of samples, converted by a table.
struct SceneRows: Sendable {
  /// The image being written, before it is handed on.
  let image: SceneImage
  let orientation: Orientation
  /// Light of every value that a sample can have in memory.
  let table: FloatTable

  /// Fills the image.
  /// - Parameter frame: Planes of G, B and R, or one of grey, sized before rotation.
  func fill(from frame: CodedFrame, pool: WorkerPool) {
    // For a rotated picture, the columns written by a band fill a cache line.
    pool.forRows(of: frame.size.height) { rows in
      for channel in 0..<3 {
        unsafe frame.withPlane(frame.layout.planeCount == 1 ? 0 : (channel + 2) % 3) { plane in
          if frame.layout.bytesPerSample == 1 {
            unsafe fill(channel, rows, from: plane, as: UInt8.self)
          } else {
            unsafe fill(channel, rows, from: plane, as: UInt16.self)
          }
        }
      }
    }
  }

  @inline(__always)
  private func fill<Sample: FixedWidthInteger>(
    _ channel: Int, _ rows: Range<Int>, from plane: CodedFrame.Plane, as type: Sample.Type
  ) {
    let light = unsafe table.base
    let width = unsafe plane.size.width
    if orientation.swapsAxes {
      // Column by column, so that rows of the result are written in runs.
      for x in 0..<width {
        let target = unsafe image.row(channel, orientation.reversesColumns ? width - 1 - x : x)
        for y in rows {
          let sample = unsafe plane.row(y).assumingMemoryBound(to: type)[x]
          unsafe target[orientation.reversesRows ? image.size.width - 1 - y : y] = light[Int(sample)]
        }
      }
      return
    }
    for y in rows {
      let source = unsafe plane.row(y).assumingMemoryBound(to: type)
      let target = unsafe image.row(channel, orientation.reversesRows ? image.size.height - 1 - y : y)
      if orientation.reversesColumns {
        for x in 0..<width { unsafe target[width - 1 - x] = light[Int(source[x])] }
      } else {
        for x in 0..<width { unsafe target[x] = light[Int(source[x])] }
      }
    }
  }
}
