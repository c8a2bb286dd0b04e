internal import ColorScience
public import Frames
internal import Threads

extension PatternPainter {
  /// Paints a frame of code values; the codes do not depend on the number of threads.
  ///
  /// Y'CbCr is computed from unrounded signals; chroma is subsampled with `ChromaResampling`.
  /// - Parameters:
  ///   - frame: A frame of the drawing's size, in R'G'B', planar Y'CbCr or Y' alone; its matrix and range are used.
  ///   - threads: Maximum number of threads; nil: one per processor.
  public func paint(into frame: CodedFrame, threads: Int? = nil) {
    precondition(frame.size == size && frame.layout.packing == .planar && frame.layout.samples == .integer)
    if frame.layout.bytesPerSample == 1 {
      paint(into: frame, as: UInt8.self, threads)
    } else {
      paint(into: frame, as: UInt16.self, threads)
    }
  }

  private func paint<Code: FixedWidthInteger & Sendable>(into frame: CodedFrame, as: Code.Type, _ threads: Int?) {
    let scale = SampleScale(bitDepth: frame.layout.bitDepth, range: frame.color.range)
    guard frame.layout.components != .rgb else {
      return RowStrips(rows: size.height).run(threads: threads) { _, rows in
        paintRGB(rows, into: frame, as: Code.self, scale)
      }
    }
    guard let matrix = YCbCrMatrix(frame.color.matrix) else {
      preconditionFailure("no Y'CbCr of \(frame.color.matrix) is painted")
    }
    RowStrips(rows: frame.layout.planeSize(1, of: size).height).run(threads: threads) { _, rows in
      var strip = YCbCrStrip<Code>(self, frame, scale, matrix)
      strip.paint(chroma: rows)
    }
  }

  private func paintRGB<Code: FixedWidthInteger & Sendable>(
    _ strip: Range<Int>, into frame: CodedFrame, as: Code.Type, _ scale: SampleScale
  ) {
    var rows = PatternRows(self)
    var codes = [SIMD3<UInt16>](repeating: .zero, count: size.width)
    for y in strip {
      guard rows.move(to: y) else {
        for plane in 0..<3 { frame.repeatRow(plane: plane, y: y) }
        continue
      }
      rows.round(by: .luma(scale), into: &codes)
      frame.withRow(plane: 0, y: y, of: Code.self) { row in
        for x in codes.indices { row[x] = Code(truncatingIfNeeded: codes[x].y) }
      }
      frame.withRow(plane: 1, y: y, of: Code.self) { row in
        for x in codes.indices { row[x] = Code(truncatingIfNeeded: codes[x].z) }
      }
      frame.withRow(plane: 2, y: y, of: Code.self) { row in
        for x in codes.indices { row[x] = Code(truncatingIfNeeded: codes[x].x) }
      }
    }
  }
}
