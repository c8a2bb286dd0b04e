internal import Files
internal import Foundation

/// The status of an open file. Network file systems query the server when a file is opened, while a status by name may
/// be a minute old.
struct FileFacts {
  let isRegular: Bool
  let byteCount: Int
  /// The number of hard links.
  let links: Int
  let device: UInt
  let number: UInt
  /// The time of the last write.
  let modified: ServerTime
  /// The time of the last write or rename.
  let changed: ServerTime

  init?(_ descriptor: Int32) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  /// The status by name, for something that cannot be opened: it may be a minute old.
  init?(unopened path: String) {
    var status = stat()
    guard unsafe lstat(path.systemName, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    isRegular = status.st_mode & S_IFMT == S_IFREG
    byteCount = Int(status.st_size)
    links = Int(status.st_nlink)
    (device, number) = (UInt(status.st_dev), UInt(status.st_ino))
    modified = ServerTime(status.st_mtim)
    changed = ServerTime(status.st_ctim)
  }

  /// nil if the file cannot be opened; symbolic links are not followed.
  init?(path: String) {
    let descriptor = Self.open(path)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    self.init(descriptor)
  }

  /// Returns a regular file's status and bytes, consistent as far as the file system allows.
  /// - Parameter largest: Maximum size in bytes.
  /// - Returns: nil if it is not a regular file, is too large, or cannot be read.
  static func read(_ path: String, upTo largest: Int) -> (facts: FileFacts, bytes: [UInt8])? {
    let descriptor = open(path)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard let facts = FileFacts(descriptor), facts.isRegular, facts.byteCount <= largest else { return nil }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: min(max(facts.byteCount + 1, 1), 1 << 16))
    while bytes.count <= largest {
      let read = unsafe block.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
      if read < 0, errno == EINTR { continue }
      guard read >= 0 else { return nil }
      if read == 0 { return (facts, bytes) }
      bytes += block[..<read]
    }
    return nil
  }

  /// Does not block on a pipe without a writer.
  private static func open(_ path: String) -> Int32 {
    unsafe Foundation.open(path.systemName, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
  }
}

extension DurableFile {
  /// Runs a file operation in a work folder.
  static func at<Value>(_ path: String, _ work: () throws(Failure) -> Value) throws(FarmError) -> Value {
    do throws(Failure) { return try work() } catch {
      let action: FarmError.Action =
        switch error.step {
        case .create: .create
        case .write: .write
        case .rename: .rename
        }
      throw .failed(action, path: path, code: error.code)
    }
  }

  /// Links a complete file to a name, if that is free.
  /// - Returns: Whether the name was free.
  static func claim(_ path: String, for temporary: String, _ descriptor: Int32) throws(FarmError) -> Bool {
    if unsafe link(temporary.systemName, path.systemName) == 0 { return true }
    let code = errno
    // A network file system's reply is unreliable; the link count decides.
    if let facts = FileFacts(descriptor), facts.links == 2 { return true }
    if code == EEXIST { return false }
    guard [EPERM, ENOTSUP, ENOSYS, EMLINK].contains(code) else { throw .failed(.link, path: path, code: code) }
    let second = FileRenaming.rename(temporary, to: path, replaces: false)
    if second == EEXIST { return false }
    guard second == 0 else { throw .failed(.link, path: path, code: second) }
    return true
  }
}

extension WorkFolder {
  /// Atomically writes a file, replacing an existing one.
  func replace(_ path: String, _ bytes: [UInt8]) throws(FarmError) {
    try DurableFile.at(path) { () throws(DurableFile.Failure) in try DurableFile.replace(path, bytes) }
  }
}

/// JSON for files in a work folder: compact, with sorted keys, so that equal values give equal bytes.
enum JSONText {
  /// - Returns: nil for numbers that JSON cannot represent, such as infinity.
  static func bytes(_ value: some Encodable) -> [UInt8]? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(value)).map { Array($0) + [UInt8(ascii: "\n")] }
  }

  static func value<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) -> Value? {
    try? JSONDecoder().decode(type, from: Data(bytes))
  }
}
