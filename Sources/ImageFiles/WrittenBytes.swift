/// A file in memory that a library writes by callbacks.
final class WrittenBytes {
  private(set) var content: [UInt8] = []
  /// For libraries that seek.
  var position = 0

  init(expectedByteCount: Int) { content.reserveCapacity(expectedByteCount) }

  /// The libraries' pointer to this object, which has to outlive their file.
  var opaque: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

  static func of(_ opaque: UnsafeMutableRawPointer?) -> WrittenBytes? {
    unsafe opaque.map { unsafe Unmanaged.fromOpaque($0).takeUnretainedValue() }
  }

  /// Overwrites earlier bytes, and appends the rest.
  func write(_ source: UnsafeRawBufferPointer, at offset: Int) {
    if offset > content.count { content.append(contentsOf: repeatElement(0, count: offset - content.count)) }
    let overlap = min(content.count - offset, source.count)
    unsafe content.withUnsafeMutableBytes { target in
      unsafe UnsafeMutableRawBufferPointer(rebasing: target[offset..<offset + overlap])
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[..<overlap]))
    }
    unsafe content.append(contentsOf: source[overlap...])
  }
}
