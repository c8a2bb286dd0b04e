import ImageFiles
import Testing

@Suite struct FileNamesTests {
  @Test(arguments: [
    ("out/%06d.exr", 42, "out/000042.exr"), ("%d", 7, "7"), ("a%%b%03d.png", 1234, "a%b1234.png"),
    ("x.raw", 3, "x.raw"),
    ("50%%.png", 0, "50%.png"), ("日%2d本", 5, "日05本"),
  ])
  func names(_ pattern: String, _ number: Int, _ name: String) throws {
    let names = try FileNames(pattern)
    #expect(names.name(number) == name)
    if names.hasNumber { #expect(names.number(of: name) == number) } else { #expect(names.number(of: name) == nil) }
  }

  @Test func otherFilesHaveNoNumber() throws {
    let names = try FileNames("f%03d.png")
    for other in ["f1.png", "f0001.png", "f001.jpg", "g001.png", "f-01.png", "f.png", "f001.png.json"] {
      #expect(names.number(of: other) == nil, "\(other)")
    }
    #expect(names.number(of: "f1000.png") == 1000)
  }

  @Test func whatIsNoPattern() {
    #expect(throws: FileNames.Failure.manyNumbers) { try FileNames("%d-%d") }
    #expect(throws: FileNames.Failure.unknownField("%s")) { try FileNames("%s.png") }
    #expect(throws: FileNames.Failure.unknownField("%")) { try FileNames("100%") }
    #expect(throws: FileNames.Failure.tooManyDigits(99)) { try FileNames("%99d") }
  }
}
