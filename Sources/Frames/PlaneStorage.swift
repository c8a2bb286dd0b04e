/// Memory of a frame that Headroom allocated itself.
@safe
final class PlaneStorage: @unchecked Sendable {
  // @unchecked: the planes are those of one frame at a time, which says who may write them.
  // @safe: the memory is freed with this object, which every frame over it retains.
  let planes: [CodedFrame.Plane]
  private let memory: UnsafeMutableRawPointer

  init(size: Size, layout: PixelLayout) {
    let sizes = (0..<layout.planeCount).map { layout.planeSize($0, of: size) }
    let strides = sizes.map { ($0.width * layout.bytesPerSample + 63) & ~63 }
    let total = zip(sizes, strides).reduce(0) { $0 + $1.0.height * $1.1 }
    unsafe memory = ZeroedMemory.allocate(byteCount: max(total, 64))
    var planes: [CodedFrame.Plane] = unsafe []
    var offset = 0
    for (size, stride) in zip(sizes, strides) {
      unsafe planes.append(CodedFrame.Plane(base: memory + offset, stride: stride, size: size))
      offset += size.height * stride
    }
    unsafe self.planes = unsafe planes
  }

  deinit { unsafe ZeroedMemory.free(memory) }
}
