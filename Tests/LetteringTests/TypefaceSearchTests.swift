import Foundation
import Lettering
import Testing

@Suite struct TypefaceSearchTests {
  private func failure(_ body: () throws(LetteringError) -> Typeface) -> LetteringError? {
    do throws(LetteringError) {
      _ = try body()
      return nil
    } catch { return error }
  }

  @Test func aMissingFontIsSaidWithTheRemedy() {
    let error = failure { () throws(LetteringError) in try Typeface.default(chosen: nil, places: ["/nowhere/a.ttf"]) }
    #expect(error == .missingFont(searched: ["/nowhere/a.ttf"]))
    #expect(error?.description.contains("apt-get install fonts-dejavu-core") == true)
  }

  @Test func aChosenFontThatCannotBeReadIsNotReplaced() {
    let error = failure { () throws(LetteringError) in try Typeface.default(chosen: "/nowhere/a.ttf") }
    #expect(error == .unreadableFont(path: "/nowhere/a.ttf", code: 1))
  }

  @Test func otherFilesAreNoFonts() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).ttf").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data(repeating: 0x41, count: 5000).write(to: URL(fileURLWithPath: path))
    guard case .unreadableFont(path, _) = failure({ () throws(LetteringError) in try Typeface(path: path) }) else {
      Issue.record("no error")
      return
    }
    let cut = try Data(contentsOf: URL(fileURLWithPath: Typeface.default(chosen: nil).path)).prefix(3000)
    try cut.write(to: URL(fileURLWithPath: path))
    #expect(failure { () throws(LetteringError) in try Typeface(path: path) } != nil)
  }

  @Test func theFirstPlaceThatExistsIsUsed() throws {
    let usual = try Typeface.default(chosen: nil).path
    #expect(try Typeface.default(chosen: nil, places: ["/nowhere/a.ttf", usual]).path == usual)
  }
}
