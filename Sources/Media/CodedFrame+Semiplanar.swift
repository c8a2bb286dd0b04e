package import Frames

extension CodedFrame {
  /// Copies the samples of planar 4:2:0 to a semi-planar frame of the same size and depth; no sample changes.
  ///
  /// Chroma is in one plane, Cb before Cr, and samples of more than 8 bits are in the high bits of 16-bit words: NV12
  /// and P010.
  /// Source: Microsoft, "10-bit and 16-bit YUV Video Formats".
  package func copySamples(toSemiplanar target: CodedFrame) {
    precondition(layout.packing == .planar && layout.components == .ycbcr420 && target.layout.packing == .semiplanar)
    precondition(size == target.size && layout.bitDepth == target.layout.bitDepth)
    if layout.bytesPerSample == 1 {
      spread(target, UInt8.self)
    } else {
      spread(target, UInt16.self)
    }
  }

  private func spread<Sample: FixedWidthInteger>(_ target: CodedFrame, _ type: Sample.Type) {
    let shift = Sample(target.layout.sampleShift)
    for component in 0..<3 {
      let place = target.layout.place(of: component)
      let extent = layout.planeSize(component, of: size)
      unsafe withPlane(component) { source in
        unsafe target.withPlane(place.plane) { result in
          for y in 0..<extent.height {
            let from = unsafe source.row(y).assumingMemoryBound(to: type)
            let to = unsafe result.row(y).assumingMemoryBound(to: type)
            for x in 0..<extent.width { unsafe to[place.first + place.step * x] = from[x] << shift }
          }
        }
      }
    }
  }
}
