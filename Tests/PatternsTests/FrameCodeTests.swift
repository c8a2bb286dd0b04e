import Patterns
import Testing

@Suite struct FrameCodeTests {
  @Test(arguments: [0, 1, 255, 256, 65_537, FrameCode.modulus - 1])
  func numbersComeBack(_ number: Int) { #expect(FrameCode.number(FrameCode.cells(number)) == number) }

  @Test func oneWrongCellIsSeen() {
    for index in 0..<32 {
      var cells = FrameCode.cells(4711)
      cells[index].toggle()
      #expect(FrameCode.number(cells) == nil)
    }
  }

  @Test func blackIsNoNumber() {
    #expect(FrameCode.number(Array(repeating: false, count: 32)) == nil)
    #expect(FrameCode.number(Array(repeating: true, count: 32)) == nil)
  }
}
