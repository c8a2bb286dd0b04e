internal import Glibc

extension ContentHash {
  /// Block size in bytes.
  private static let block = 1 << 20

  /// Hashes a whole file.
  /// - Parameter isStopped: Polled between blocks; true ends the call.
  /// - Returns: nil if it was stopped.
  /// - Throws: `SmallFile.Failure` if it is not a file or cannot be read.
  public static func of(
    file path: String, isStopped: () -> Bool = { false }
  ) throws(SmallFile.Failure) -> ContentHash? {
    let descriptor = unsafe open(path.systemName, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .system(errno) }
    defer { close(descriptor) }
    guard FileStatus(descriptor: descriptor)?.kind == .regular else { throw .isNoFile }
    var hash = ContentHash()
    var bytes = [UInt8](repeating: 0, count: block)
    while !isStopped() {
      let count = try fill(&bytes, from: descriptor, at: nil)
      if count > 0 { unsafe bytes.withUnsafeBytes { unsafe hash.add(UnsafeRawBufferPointer(rebasing: $0[..<count])) } }
      if count < block { return hash }
    }
    return nil
  }

  /// Hashes ranges of a file.
  /// - Parameters:
  ///   - places: Offsets in bytes.
  ///   - length: Bytes of each range; fewer at the end of the file.
  /// - Throws: `SmallFile.Failure` if it is not a file or cannot be read.
  public static func of(
    file path: String, at places: [Int], length: Int
  ) throws(SmallFile.Failure) -> ContentHash {
    let descriptor = unsafe open(path.systemName, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .system(errno) }
    defer { close(descriptor) }
    guard FileStatus(descriptor: descriptor)?.kind == .regular else { throw .isNoFile }
    var hash = ContentHash()
    var bytes = [UInt8](repeating: 0, count: length)
    for place in places {
      let count = try fill(&bytes, from: descriptor, at: place)
      unsafe bytes.withUnsafeBytes { unsafe hash.add(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
    return hash
  }

  /// Reads as many bytes as fit.
  /// - Parameter place: Offset in bytes; nil: where the last call ended.
  /// - Returns: The number of bytes; fewer at the end of the file.
  private static func fill(
    _ bytes: inout [UInt8], from descriptor: Int32, at place: Int?
  ) throws(SmallFile.Failure) -> Int {
    var filled = 0
    while filled < bytes.count {
      let count = unsafe bytes.withUnsafeMutableBytes { buffer in
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
        return unsafe place.map { unsafe pread(descriptor, rest.baseAddress, rest.count, $0 + filled) }
          ?? read(descriptor, rest.baseAddress, rest.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .system(errno) }
      if count == 0 { break }
      filled += count
    }
    return filled
  }
}
