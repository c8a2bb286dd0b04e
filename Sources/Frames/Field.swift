public import ColorScience

/// One of the two fields of an interlaced frame.
public enum Field: Int, Sendable, Hashable, Codable, CaseIterable {
  /// The rows 0, 2, 4, ...
  case top
  /// The rows 1, 3, 5, ...
  case bottom
}

extension PixelLayout {
  /// Whether a frame of this height divides into two equal fields, luma and chroma: a multiple of four for 4:2:0,
  /// otherwise an even number.
  public func dividesIntoFields(height: Int) -> Bool { height > 0 && height % (2 << chromaShiftY) == 0 }
}

extension ChromaLocation {
  /// Position of a chroma sample relative to luma samples within a field (nil: within the frame). A field has every
  /// second row of luma and chroma, and rows keep their positions in the frame.
  ///
  /// Source: ITU-T H.264 (08/2021), 6.2: 4:2:0 in fields, a quarter of a line above or below the frame's siting.
  public func offset(in field: Field?) -> SIMD2<Double> {
    guard let field else { return offset }
    return SIMD2(offset.x, (offset.y + Double(field.rawValue)) / 2)
  }
}

extension CodedFrame {
  /// One field as a picture of half the height over the same memory.
  ///
  /// The frame's layout must divide its height (`PixelLayout.dividesIntoFields`).
  public func field(_ field: Field) -> CodedFrame {
    precondition(layout.dividesIntoFields(height: size.height))
    var rows: [Plane] = unsafe []
    for index in 0..<layout.planeCount {
      unsafe withPlane(index) { plane in
        unsafe rows.append(
          Plane(
            base: plane.row(field.rawValue), stride: 2 * plane.stride,
            size: Size(width: plane.size.width, height: plane.size.height / 2)))
      }
    }
    return unsafe CodedFrame(
      size: Size(width: size.width, height: size.height / 2), layout: layout, color: color, time: time,
      metadata: metadata, isDamaged: isDamaged, sourceTime: sourceTime, planes: rows, owner: owner)
  }
}

/// Which field of an interlaced frame was captured first; the top field has rows 0, 2, 4, ...
public enum FieldOrder: String, Sendable, Hashable, Codable, CaseIterable {
  /// The field that was captured first.
  case topFirst, bottomFirst
}
