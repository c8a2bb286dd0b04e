internal import Frames

/// Unpacks the strips or tiles of a file into a frame.
struct TIFFBlocks {
  let file: TIFFFile
  let picture: TIFFPicture

  /// - Parameter frame: In the picture's layout.
  func decode(into frame: CodedFrame) throws(ImageFileError) {
    var buffer = [UInt8](repeating: 0, count: picture.blockByteCount)
    // Red, green and blue lie in planes 2, 0 and 1.
    let components = picture.isGrey ? [[2, 0, 1]] : [[2], [0], [1]]
    for y in stride(from: 0, to: picture.size.height, by: picture.block.height) {
      for x in stride(from: 0, to: picture.size.width, by: picture.block.width) {
        for (component, planes) in components.enumerated() {
          let isRead = unsafe buffer.withUnsafeMutableBytes { buffer in
            if component == 0 || picture.isPlanar {
              let sample = picture.isPlanar ? component : 0
              guard unsafe file.readBlock(x: x, y: y, sample: sample, into: buffer) else { return false }
            }
            let samples = UnsafeRawBufferPointer(buffer)
            for plane in planes { unsafe store(samples, picture.isPlanar ? 0 : component, x, y, plane, in: frame) }
            return true
          }
          guard isRead else { throw file.failure }
        }
      }
    }
  }

  /// Puts one component of the block at (`x`, `y`) into a plane.
  private func store(
    _ block: UnsafeRawBufferPointer, _ component: Int, _ x: Int, _ y: Int, _ plane: Int, in frame: CodedFrame
  ) {
    switch picture.samples {
    case .integer8:
      let inversion: UInt8 = picture.isInverted ? 0xFF : 0
      unsafe store(block, component, x, y, plane, in: frame) { (value: UInt8) in value ^ inversion }
    case .integer16:
      let inversion: UInt16 = picture.isInverted ? 0xFFFF : 0
      unsafe store(block, component, x, y, plane, in: frame) { (value: UInt16) in value ^ inversion }
    case .half: unsafe store(block, component, x, y, plane, in: frame, HalfSample.finite)
    case .float: unsafe store(block, component, x, y, plane, in: frame, HalfSample.bits)
    }
  }

  private func store<Read, Stored>(
    _ block: UnsafeRawBufferPointer, _ component: Int, _ x: Int, _ y: Int, _ plane: Int, in frame: CodedFrame,
    _ convert: (Read) -> Stored
  ) {
    let step = picture.isPlanar ? 1 : picture.samplesPerPixel
    let samples = unsafe block.bindMemory(to: Read.self)
    let columns = min(picture.block.width, picture.size.width - x)
    for row in 0..<min(picture.block.height, picture.size.height - y) {
      unsafe frame.withPlane(plane) { plane in
        let target = unsafe plane.row(y + row).assumingMemoryBound(to: Stored.self) + x
        let start = row * picture.block.width * step + component
        for column in 0..<columns { unsafe target[column] = convert(samples[start + column * step]) }
      }
    }
  }
}
