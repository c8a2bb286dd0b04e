import Compositing
import Testing

@Suite struct BackgroundTests {
  @Test func backgroundsHaveNames() {
    #expect(Background.named("#ff8000")?.name == "#FF8000")
    #expect(Background.named("White")?.light == SIMD3(1, 1, 1))
    for name in ["", "#", "#12345", "#1234567", "#12345g", "#+12345", "red"] { #expect(Background.named(name) == nil) }
  }
}
