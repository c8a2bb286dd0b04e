import Files
import Foundation
import TestSupport
import Testing

/// A file gets a free name and no other, in each of the ways that file systems allow.
@Suite struct FileRenamingTests {
  typealias Way = @Sendable (String, String) -> Int32

  private static let ways: [Way] = [
    { FileRenaming.rename($0, to: $1, replaces: false) },
    { FileRenaming.renameByLink($0.systemName, $1.systemName) },
    { FileRenaming.renameByClaim($0.systemName, $1.systemName) },
  ]

  private func write(_ text: String, _ path: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }

  private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  @Test(arguments: 0..<3)
  func aFreeNameIsTaken(_ way: Int) throws {
    let scratch = try Scratch()
    let (old, new) = (scratch.path("old"), scratch.path("new"))
    try write("mine", old)
    #expect(Self.ways[way](old, new) == 0)
    #expect(try text(new) == "mine")
    #expect(scratch.contents == ["new"])
  }

  @Test(arguments: 0..<3)
  func anotherFileStays(_ way: Int) throws {
    let scratch = try Scratch()
    let (old, new) = (scratch.path("old"), scratch.path("new"))
    try write("mine", old)
    try write("theirs", new)
    #expect(Self.ways[way](old, new) == EEXIST)
    #expect(try text(new) == "theirs")
    #expect(try text(old) == "mine")
  }

  /// Of many at once one gets the name.
  @Test(arguments: 0..<3)
  func oneGetsIt(_ way: Int) async throws {
    let scratch = try Scratch()
    let names = (0..<24).map { scratch.path("old\($0)") }
    for name in names { try write(name, name) }
    let new = scratch.path("new")
    let codes = await withTaskGroup(of: Int32.self) { group in
      for name in names { group.addTask { Self.ways[way](name, new) } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(codes.count { $0 == 0 } == 1)
    #expect(codes.count { $0 == EEXIST } == names.count - 1)
    #expect(scratch.contents.count == names.count)
  }

  @Test func aFileIsReplacedWhereThatIsAsked() throws {
    let scratch = try Scratch()
    let (old, new) = (scratch.path("old"), scratch.path("new"))
    try write("mine", old)
    try write("theirs", new)
    #expect(FileRenaming.rename(old, to: new, replaces: true) == 0)
    #expect(try text(new) == "mine")
  }
}
