import Farm
import Files
import Foundation
import TestSupport
import Testing

/// File systems that are full or read-only for a while, where the test may mount some.
@Suite struct FullDiskTests {
  /// A small file system in memory.
  private final class Mount {
    let scratch: Scratch
    let folder: WorkFolder
    let path: String

    /// nil where it is not allowed.
    init?(_ options: String) throws {
      scratch = try Scratch()
      path = scratch.path("disk")
      folder = WorkFolder(path + "/film")
      unsafe mkdir(path, 0o777)
      guard geteuid() == 0, (try? Self.run(["mount", "-t", "tmpfs", "-o", options, "none", path])) == true else {
        noteSkip("full disks of films in pieces, as no file system can be mounted")
        return nil
      }
      try folder.create()
    }

    func remount(_ options: String) throws {
      guard try Self.run(["mount", "-o", "remount,\(options)", path]) else { throw CocoaError(.fileWriteUnknown) }
    }

    /// Takes all space that is left.
    func fill() {
      let descriptor = unsafe open(path + "/filler", O_WRONLY | O_CREAT | O_APPEND, 0o666)
      let block = [UInt8](repeating: 1, count: 4096)
      while unsafe write(descriptor, block, block.count) > 0 {}
      close(descriptor)
    }

    func empty() { unsafe unlink(path + "/filler") }

    /// - Returns: Whether it ended well.
    private static func run(_ command: [String]) throws -> Bool {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = command
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      return process.terminationStatus == 0
    }

    deinit { _ = try? Self.run(["umount", "-l", path]) }
  }

  private func error(_ work: () throws(FarmError) -> Void) -> FarmError? {
    do throws(FarmError) {
      try work()
      return nil
    } catch {
      return error
    }
  }

  @Test func aFullDisk() throws {
    guard let mount = try Mount("size=256k") else { return }
    let folder = mount.folder
    let lease = try #require(try folder.next(of: 3, maximumTries: 3, by: .current).lease)
    let attempt = try Try.begin(0, by: .current, token: lease.token, in: folder)
    let part = folder.partPath(0, token: lease.token)
    try Data("video".utf8).write(to: URL(fileURLWithPath: part))
    mount.fill()
    // The claim is kept alive, the commit fails, and the try can say so.
    try lease.renew(frames: 5, framesPerSecond: 1)
    #expect(!lease.isLost && folder.claim(0)?.frames == 5)
    let record = try FarmFixture().record(0)
    let failure = try #require(error { () throws(FarmError) in try folder.commit(part: part, record: record) })
    #expect(failure.isWorthRetrying)
    #expect(try folder.record(0) == nil)
    try attempt.end(.failed(words: failure.description, isWorthRetrying: failure.isWorthRetrying), in: folder)
    #expect(try folder.tries(0).first?.outcome != nil)
    #expect(error { () throws(FarmError) in _ = try Lease.take(1, in: folder, by: .current) }?.isWorthRetrying == true)
    #expect(error { () throws(FarmError) in _ = try Try.begin(1, by: .current, token: nil, in: folder) } != nil)
    #expect(FileLocation.names(in: folder.path(of: "claims")) == ["0"])
    lease.release()
    mount.empty()
    // The try did not count, and the commit can be repeated although the part has got its name already.
    #expect(try folder.next(of: 3, maximumTries: 1, by: .current).text == "taken 0")
    try folder.commit(part: part, record: record)
    #expect(try folder.record(0) == record)
  }

  @Test func aReadOnlyFolder() throws {
    guard let mount = try Mount("size=1m") else { return }
    let folder = mount.folder
    let lease = try #require(try folder.next(of: 2, maximumTries: 3, by: .current).lease)
    let film = FilmOutline(
      name: "f", output: "o", frames: [10, 10], seconds: [1, 1], framesPerSecond: 10, width: 1, height: 1,
      maximumTries: 3)
    // Files that are open for writing keep a file system from becoming read-only: another machine's folder is.
    let copy = try #require(try Mount("size=1m"))
    try FileManager.default.copyItem(atPath: folder.path(of: "claims/0"), toPath: copy.folder.path(of: "claims/0"))
    try copy.remount("ro")
    #expect(
      error { () throws(FarmError) in _ = try copy.folder.next(of: 2, maximumTries: 3, by: .current) }?.isWorthRetrying
        == true)
    #expect(error { () throws(FarmError) in try copy.folder.cancel() }?.isWorthRetrying == true)
    #expect(error(copy.folder.create) == nil)
    // The status can be read all the same.
    let status = try FarmStatus(copy.folder, film)
    #expect(status.counts.running == 1 && status.time == nil && !status.html.isEmpty)
    try copy.remount("rw")
    #expect(try copy.folder.next(of: 2, maximumTries: 3, by: .current).text == "taken 1")
    lease.release()
  }
}
