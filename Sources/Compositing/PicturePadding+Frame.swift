internal import ColorScience
package import Frames
package import Media

extension PicturePadding {
  /// A picture inside the border, in the picture's format.
  /// - Parameter tags: Overrides of the file's tags.
  /// - Returns: nil if the picture does not fit the border.
  package func padded(_ frame: CodedFrame, _ tags: ColorTags) -> CodedFrame? {
    guard frame.size == Size(width: picture.width, height: picture.height) else { return nil }
    let source = frame.planar
    let result = CodedFrame(size: size, layout: source.layout, color: source.color)
    let codes = codes(in: source.format, unit: source.metadata.linearUnit, tags)
    let inside = result.part(picture)
    for plane in 0..<source.layout.planeCount {
      unsafe result.withPlane(plane) { unsafe $0.fill(codes[plane], bytesPerSample: source.layout.bytesPerSample) }
    }
    source.copyCodes(to: inside)
    var planes: [CodedFrame.Plane] = unsafe []
    for plane in 0..<source.layout.planeCount {
      unsafe result.withPlane(plane) { unsafe planes.append($0) }
    }
    return unsafe CodedFrame(
      size: size, layout: source.layout, color: source.color, time: frame.time, metadata: frame.metadata,
      captions: frame.captions, isDamaged: frame.isDamaged, fieldOrder: frame.fieldOrder, sourceTime: frame.sourceTime,
      planes: planes, owner: result)
  }

  /// The samples of the border in each plane, from a pixel of pure background.
  private func codes(in format: PixelFormat, unit: Double?, _ tags: ColorTags) -> [Int] {
    // Uniform over two pixels and two rows, chroma is the same everywhere.
    let side = Size(width: 4, height: 4)
    let pixel = CodedFrame(size: side, layout: format.layout, color: format.color)
    let scale = SampleScale(bitDepth: format.layout.bitDepth, range: (tags.range ?? format.color.range))
    for plane in 0..<format.layout.planeCount {
      let isChroma = plane > 0 && ![.rgb, .gray].contains(format.layout.components)
      let black = format.layout.samples == .half ? 0 : isChroma ? scale.code(fromChroma: 0) : scale.code(fromLuma: 0)
      unsafe pixel.withPlane(plane) { unsafe $0.fill(black, bytesPerSample: format.layout.bytesPerSample) }
    }
    let small = PixelFormat(size: side, layout: format.layout, color: format.color)
    let compositing = Compositing(background: Background(name: "", light: light), tags: tags)
    if light != SIMD3(repeating: 0) {
      AlphaCompositor(small, unit: unit, isPremultiplied: false, compositing)?.composite(AlphaPlane(size: side), pixel)
    }
    return (0..<format.layout.planeCount).map { pixel.sample(plane: $0, x: 0, y: 0) }
  }
}

extension CodedFrame.Plane {
  /// Fills all rows with one sample.
  fileprivate func fill(_ sample: Int, bytesPerSample: Int) {
    for y in unsafe 0..<size.height {
      if bytesPerSample == 1 {
        unsafe row(y).initializeMemory(as: UInt8.self, repeating: UInt8(truncatingIfNeeded: sample), count: size.width)
      } else {
        unsafe row(y).initializeMemory(
          as: UInt16.self, repeating: UInt16(truncatingIfNeeded: sample), count: size.width)
      }
    }
  }
}
