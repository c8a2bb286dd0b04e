import ImageFiles
import Testing

@Suite struct ImageSpaceTests {
  @Test(arguments: ImageSpace.all) func isFoundByItsNames(_ space: ImageSpace) {
    for name in [space.name, space.shortName, space.name.uppercased()] { #expect(ImageSpace.named(name) == space) }
  }

  @Test func namesAreDifferent() {
    let names = ImageSpace.all.flatMap { Set([$0.name, $0.shortName].map { $0.lowercased() }) }
    #expect(Set(names).count == names.count)
    #expect(ImageSpace.named("cie") == nil)
  }
}
