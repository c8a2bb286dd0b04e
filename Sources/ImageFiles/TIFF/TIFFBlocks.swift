internal import Compositing
internal import Frames

/// Unpacks the strips or tiles of a file into a frame.
struct TIFFBlocks {
  let file: TIFFFile
  let picture: TIFFPicture

  /// Index of alpha among the samples of a pixel; nil: none.
  let alphaSample: Int?

  /// - Parameter frame: A frame in the picture's layout.
  /// - Returns: The alpha; nil: none.
  func decode(into frame: CodedFrame) throws(ImageFileError) -> AlphaPlane? {
    let memory = unsafe ZeroedMemory.allocate(byteCount: picture.blockByteCount)
    defer { unsafe ZeroedMemory.free(memory) }
    let buffer = unsafe UnsafeMutableRawBufferPointer(start: memory, count: picture.blockByteCount)
    let samples = UnsafeRawBufferPointer(buffer)
    // Red, green and blue are planes 2, 0 and 1.
    let components = picture.isGrey ? [[2, 0, 1]] : [[2], [0], [1]]
    var alpha = alphaSample.flatMap { $0 < picture.samplesPerPixel ? AlphaPlane(size: picture.size) : nil }
    for y in stride(from: 0, to: picture.size.height, by: picture.block.height) {
      for x in stride(from: 0, to: picture.size.width, by: picture.block.width) {
        for (component, planes) in components.enumerated() {
          if component == 0 || picture.isPlanar { try unsafe read(x, y, component, into: buffer) }
          for plane in planes { unsafe store(samples, picture.isPlanar ? 0 : component, x, y, plane, in: frame) }
        }
        guard let alphaSample, alpha != nil else { continue }
        if picture.isPlanar { try unsafe read(x, y, alphaSample, into: buffer) }
        unsafe store(samples, alpha: picture.isPlanar ? 0 : alphaSample, x, y, in: &alpha)
      }
    }
    return alpha
  }

  private func read(_ x: Int, _ y: Int, _ component: Int, into buffer: UnsafeMutableRawBufferPointer)
    throws(ImageFileError)
  {
    guard unsafe file.readBlock(x: x, y: y, sample: picture.isPlanar ? component : 0, into: buffer) else {
      throw file.failure
    }
  }

  /// Copies the alpha of the block at (`x`, `y`).
  private func store(
    _ block: UnsafeRawBufferPointer, alpha component: Int, _ x: Int, _ y: Int, in alpha: inout AlphaPlane?
  ) {
    let step = picture.isPlanar ? 1 : picture.samplesPerPixel
    let width = picture.samples.byteCount
    for row in 0..<min(picture.block.height, picture.size.height - y) {
      for column in 0..<min(picture.block.width, picture.size.width - x) {
        let place = ((row * picture.block.width + column) * step + component) * width
        let value: Float =
          switch picture.samples {
          case .integer8: Float(unsafe block[place]) / 255
          case .integer16: Float(unsafe block.loadUnaligned(fromByteOffset: place, as: UInt16.self)) / 65_535
          case .half: Float(unsafe block.loadUnaligned(fromByteOffset: place, as: Float16.self))
          case .float: unsafe block.loadUnaligned(fromByteOffset: place, as: Float.self)
          }
        alpha?[x + column, y + row] = value
      }
    }
  }

  /// Copies one component of the block at (`x`, `y`) to a plane.
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
