internal import Foundation

/// Caches what ffmpeg, ffprobe and Python's models print and write under `.build/fixtures`.
///
/// The key hashes the program, its arguments and the files that they name, so a changed input or a changed output of ours is made
/// or judged again. Each test gets copies and cannot spoil a fixture for another. `rm -r .build/fixtures` empties the cache;
/// `tools/test` bounds its size.
struct KeptResults {
  private let folder: URL
  /// The one folder that the program may write to; nil if it only prints.
  private let scratch: URL?
  /// The file in the folder that the last argument names.
  private let last: String?

  private static let store = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent(".build/fixtures").resolvingSymlinksInPath()
  /// Held as long as the process lives: `tools/test` removes nothing meanwhile.
  private static let lock = {
    let lock = unsafe open(store.path + ".lock", O_CREAT | O_RDWR | O_CLOEXEC, 0o644)
    return lock >= 0 && flock(lock, LOCK_SH) == 0
  }()
  /// In bytes. Larger results are not cached.
  private static let limit = 32 << 20
  /// Raise it when the format or the key changes.
  private static let version = "3"
  private static let lists = [".m3u8", ".mpd", ".ffconcat"]
  /// Stands for the scratch folder in a key.
  private static let placeholder = "<scratch>"

  /// Returns nil if the result may depend on more than the arguments and the files that they name.
  init?(program: String, arguments: [String]) {
    var scratches: Set<String> = []
    for argument in arguments { scratches.formUnion(Scratch.folders(in: argument)) }
    guard scratches.count <= 1 else { return nil }
    let scratch = scratches.first
    var hash = Hash128()
    hash.add(Self.version)
    guard let identity = Self.identity(of: program) else { return nil }
    hash.add(identity)
    for (index, argument) in arguments.enumerated() {
      hash.add(scratch.map { argument.replacingOccurrences(of: $0, with: Self.placeholder) } ?? argument)
      let isOutput = index == arguments.count - 1 && program != Tool.ffprobe.name
      guard Self.addFiles(named: argument, scratch: scratch, isOutput: isOutput, to: &hash) else { return nil }
    }
    folder = Self.store.appendingPathComponent(hash.text)
    self.scratch = scratch.map { URL(fileURLWithPath: $0) }
    last = scratch.flatMap { scratch in
      arguments.last.flatMap { $0.hasPrefix(scratch + "/") ? String($0.dropFirst(scratch.count + 1)) : nil }
    }
  }

  /// Adds the file that an argument names to the key. Returns false if the argument may read something that the key misses.
  private static func addFiles(named argument: String, scratch: String?, isOutput: Bool, to hash: inout Hash128) -> Bool
  {
    if argument.contains("://") || argument.contains("=/") || argument.contains(":/") || argument == "x11grab" {
      return false
    }
    // A list of files, or numbered pictures.
    if argument.hasPrefix("/"), argument.contains("%") || lists.contains(where: argument.hasSuffix) { return false }
    let isInScratch = scratch.map { argument.hasPrefix($0 + "/") } ?? false
    // A filter or a list names a file inside its text.
    if let scratch, argument.contains(scratch), !isInScratch { return false }
    guard argument.hasPrefix("/") else {
      return !FileManager.default.fileExists(atPath: argument) || argument.count < 2
    }
    var status = stat()
    guard unsafe stat(argument, &status) == 0 else { return isOutput }
    guard status.st_mode & S_IFMT == S_IFREG else { return argument == "/dev/null" }
    if isInScratch {
      guard let data = FileManager.default.contents(atPath: argument) else { return false }
      hash.add(withoutRandomNumbers(data))
    } else {
      hash.add("\(status.st_size) \(status.st_mtim.tv_sec) \(status.st_mtim.tv_nsec)")
    }
    return true
  }

  /// Clears the random identifiers and the date of Matroska, which differ each time ffmpeg muxes the same streams.
  private static func withoutRandomNumbers(_ data: Data) -> Data {
    guard data.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) else { return data }
    var result = data
    let ends = [0..<min(data.count, 1 << 14), max(data.count - (1 << 14), 0)..<data.count]
    // SegmentUID, TrackUID, TagTrackUID, DateUTC (RFC 9559, section 5.1).
    for (element, size) in [
      ([0x73, 0xA4, 0x90], 16), ([0x73, 0xC5, 0x88], 8), ([0x63, 0xC5, 0x88], 8), ([0x44, 0x61, 0x88], 8),
    ]
      as [([UInt8], Int)]
    {
      for end in ends {
        var place = end
        while let found = result.range(of: Data(element), in: place) {
          let number = found.upperBound..<min(found.upperBound + size, data.count)
          result.replaceSubrange(number, with: Data(count: number.count))
          place = number.upperBound..<max(end.upperBound, number.upperBound)
        }
      }
    }
    return result
  }

  /// Identifies a program by its file, and its libraries by the list of installed packages.
  private static func identity(of program: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/" }
    for path in program.hasPrefix("/") ? [program] : folders.map({ $0 + program }) {
      var status = stat()
      if unsafe stat(path, &status) == 0 { return "\(path) \(status.st_size) \(status.st_mtim.tv_sec) \(packages)" }
    }
    return nil
  }

  private static let packages: String = {
    var status = stat()
    guard unsafe stat("/var/lib/dpkg/status", &status) == 0 else { return "" }
    return "\(status.st_size) \(status.st_mtim.tv_sec)"
  }()

  /// Copies the cached files to the scratch folder and returns the cached output, or calls `make` and caches what it gives.
  ///
  /// Processes that need the same result wait for the first to make it.
  func result(_ make: () throws -> Data) throws -> Data {
    try? FileManager.default.createDirectory(at: Self.store, withIntermediateDirectories: true)
    guard Self.lock else { return try make() }
    let lock = unsafe open(folder.path + ".lock", O_CREAT | O_RDWR | O_CLOEXEC, 0o644)
    defer { close(lock) }
    guard lock >= 0, flock(lock, LOCK_EX) == 0 else { return try make() }
    if let kept = try? Data(contentsOf: folder.appendingPathComponent("output")), (try? restore()) != nil {
      return kept
    }
    let before = states()
    let output = try make()
    let made = states().filter { before[$0.key] != $0.value }
    let size = made.values.reduce(output.count) { $0 + Int($1.size) }
    guard size <= Self.limit, made.values.allSatisfy(\.isRegular) else { return output }
    // Another program may write to the folder at the same time.
    guard made.isEmpty || last.map({ made[$0] != nil }) ?? false, made.keys.allSatisfy({ before[$0] == nil }) else {
      return output
    }
    try? keep(output, made.keys)
    return output
  }

  private func keep(_ output: Data, _ names: some Sequence<String>) throws {
    let files = FileManager.default
    let part = URL(fileURLWithPath: folder.path + ".part")
    try? files.removeItem(at: part)
    try files.createDirectory(at: part.appendingPathComponent("files"), withIntermediateDirectories: true)
    if let scratch {
      for name in names {
        try files.copyItem(at: scratch.appendingPathComponent(name), to: part.appendingPathComponent("files/\(name)"))
      }
    }
    try output.write(to: part.appendingPathComponent("output"))
    try files.moveItem(at: part, to: folder)
  }

  private func restore() throws {
    // `tools/test` removes the least recently used.
    unsafe utimes(folder.path, nil)
    guard let scratch else { return }
    let kept = folder.appendingPathComponent("files")
    for name in Scratch.names(in: kept.path) {
      let place = scratch.appendingPathComponent(name)
      try? FileManager.default.removeItem(at: place)
      try FileManager.default.copyItem(at: kept.appendingPathComponent(name), to: place)
    }
  }

  private struct State: Equatable {
    var size: Int64
    var seconds, nanoseconds: Int
    var isRegular: Bool
  }

  /// The files of the scratch folder.
  private func states() -> [String: State] {
    guard let scratch else { return [:] }
    var states: [String: State] = [:]
    for name in Scratch.names(in: scratch.path) {
      var status = stat()
      guard unsafe lstat(scratch.appendingPathComponent(name).path, &status) == 0 else { continue }
      states[name] = State(
        size: Int64(status.st_size), seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec,
        isRegular: status.st_mode & S_IFMT == S_IFREG)
    }
    return states
  }
}

/// FNV-1a with 128 bits, by words. It names our own files and withstands no adversary.
struct Hash128 {
  private var value: UInt128 = 0x6C62_272E_07BB_0142_62B8_2175_6295_C58D

  /// Adds bytes and their number.
  mutating func add(_ data: Data) {
    unsafe data.withUnsafeBytes { bytes in
      let whole = bytes.count & ~7
      for offset in stride(from: 0, to: whole, by: 8) {
        unsafe add(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      }
      for offset in whole..<bytes.count { unsafe add(UInt64(bytes[offset])) }
    }
    add(UInt64(data.count))
  }

  mutating func add(_ text: String) { add(Data(text.utf8)) }

  private mutating func add(_ word: UInt64) {
    value = (value ^ UInt128(word)) &* 0x0000_0000_0100_0000_0000_0000_0000_013B
    value ^= value >> 67
  }

  var text: String { String(value, radix: 36) }
}
