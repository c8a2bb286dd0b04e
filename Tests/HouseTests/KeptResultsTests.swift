import Foundation
import TestSupport
import Testing

/// Results of other programs that tests keep are those of the same arguments and files.
@Suite struct KeptResultsTests {
  /// A program that never prints the same twice, and writes what it prints.
  private static let script = """
    import sys, time
    text = f"{open(sys.argv[1]).read()} {time.time_ns()}"
    open(sys.argv[2], "w").write(text)
    print(text)
    """

  private func run(_ input: String, in scratch: Scratch, _ script: String = script) throws -> String {
    let path = scratch.path("in.txt")
    try Data(input.utf8).write(to: URL(fileURLWithPath: path))
    let printed = try Python.run(script, [path, scratch.path("out.txt")])
    #expect(try String(contentsOfFile: scratch.path("out.txt"), encoding: .utf8) + "\n" == printed)
    return printed
  }

  @Test func sameInputsHaveOneResult() throws {
    let input = UUID().uuidString
    let first = try run(input, in: Scratch())
    #expect(first.hasPrefix(input))
    #expect(try run(input, in: Scratch()) == first)
  }

  @Test func whatDiffersIsMadeAnew() throws {
    let input = UUID().uuidString
    let scratch = try Scratch()
    let first = try run(input, in: scratch)
    #expect(try run(input + "!", in: scratch).hasPrefix(input + "! "))
    #expect(try run(input, in: Scratch(), Self.script + "# changed") != first)
  }

  /// Each test has copies: none can spoil a fixture for another.
  @Test func whatATestWritesStaysItsOwn() throws {
    let input = UUID().uuidString
    let scratch = try Scratch()
    let first = try run(input, in: scratch)
    try Data("spoilt".utf8).write(to: URL(fileURLWithPath: scratch.path("out.txt")))
    #expect(try run(input, in: Scratch()) == first)
  }

  /// A command that reads a folder, numbered pictures or a file named inside an argument, or that fails, is not cached.
  @Test func whatDependsOnMoreIsNotKept() throws {
    let scratch = try Scratch()
    let print = "import time; print(time.time_ns())"
    for argument in [scratch.folder.path, scratch.path("%d.png"), "lut3d=/etc/hosts", scratch.path("a.m3u8")] {
      #expect(try Python.run(print, [argument]) != Python.run(print, [argument]), "\(argument)")
    }
    #expect(throws: Tool.Failure.self) { try Python.run("import sys; sys.exit(3)", []) }
    #expect(throws: Tool.Failure.self) { try Python.run("import sys; sys.exit(3)", []) }
  }

  @Test func othersWaitForTheFirst() async throws {
    let input = UUID().uuidString
    let results = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<4 { group.addTask { try run(input, in: Scratch()) } }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(results.count == 1)
  }
}
