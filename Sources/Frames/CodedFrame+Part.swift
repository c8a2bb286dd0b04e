extension PixelLayout {
  /// Whether a part of a picture that begins here has samples of its own: chroma sites are not cut in two.
  public func begins(atX x: Int, y: Int) -> Bool { x % (1 << chromaShiftX) == 0 && y % (1 << chromaShiftY) == 0 }
}

extension CodedFrame {
  /// A part of the picture as a picture of its own over the same memory.
  /// - Parameter area: Inside of the picture; it begins where the layout lets it (`PixelLayout.begins`).
  public func part(_ area: PictureArea) -> CodedFrame {
    precondition(
      !area.isEmpty && area.intersection(PictureArea(size)) == area && layout.begins(atX: area.x, y: area.y))
    let size = Size(width: area.width, height: area.height)
    var parts: [Plane] = unsafe []
    for index in 0..<layout.planeCount {
      let isChroma = index > 0 && layout.components != .rgb
      let column = isChroma ? (area.x >> layout.chromaShiftX) * (layout.packing == .semiplanar ? 2 : 1) : area.x
      let row = isChroma ? area.y >> layout.chromaShiftY : area.y
      unsafe withPlane(index) { plane in
        unsafe parts.append(
          Plane(
            base: plane.row(row) + column * layout.bytesPerSample, stride: plane.stride,
            size: layout.planeSize(index, of: size)))
      }
    }
    return unsafe CodedFrame(
      size: size, layout: layout, color: color, time: time, metadata: metadata, isDamaged: isDamaged, planes: parts,
      owner: owner)
  }
}
