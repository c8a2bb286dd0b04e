internal import Frames

extension CodedFrame {
  /// Copies another picture's samples to (`x`, `y`) of this one, as far as they are inside; both of one layout, and the
  /// place on a chroma sample.
  func put(_ other: CodedFrame, x: Int, y: Int) {
    for plane in 0..<layout.planeCount {
      let (own, theirs) = (layout.planeSize(plane, of: size), layout.planeSize(plane, of: other.size))
      let place = plane == 0 ? (x: x, y: y) : (x: x >> layout.chromaShiftX, y: y >> layout.chromaShiftY)
      let width = min(theirs.width, own.width - place.x)
      guard width > 0 else { continue }
      unsafe withPlane(plane) { target in
        unsafe other.withPlane(plane) { source in
          for row in 0..<max(min(theirs.height, own.height - place.y), 0) {
            unsafe (target.row(place.y + row) + place.x * layout.bytesPerSample)
              .copyMemory(from: source.row(row), byteCount: width * layout.bytesPerSample)
          }
        }
      }
    }
  }
}
