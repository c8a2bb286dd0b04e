import Frames
import Testing
import Verification

@Suite struct PlacementWordsTests {
  let canvas = Size(width: 3840, height: 2160)

  @Test func aPatternThatFillsThePicture() {
    #expect(Placement(canvas: canvas, picture: canvas).words == "fills the picture")
    let half = Placement(canvas: canvas, scale: SIMD2(0.5, 0.5), picture: Size(width: 1920, height: 1080))
    #expect(half.words == "fills the picture, scaled from 3840x2160 to 1920x1080")
    let squeezed = Placement(canvas: canvas, scale: SIMD2(0.5, 1), picture: Size(width: 1920, height: 2160))
    #expect(squeezed.words == "fills the picture, scaled from 3840x2160 to 1920x2160, not proportionally")
    let turned = Placement(
      canvas: canvas, orientation: .clockwise, scale: SIMD2(0.5, 0.5), picture: Size(width: 1080, height: 1920))
    #expect(turned.words == "fills the picture, scaled from 2160x3840 to 1080x1920, rotated by 90° clockwise")
    #expect(turned.cutOff.isEmpty && turned.box.isEmpty)
  }

  @Test func aPatternThatIsCutOffOrBoxed() {
    let cut = Placement(canvas: canvas, origin: SIMD2(-120, 0), picture: Size(width: 3720, height: 2159))
    #expect(cut.words == "cropped: 120 pixels on the left and 1 pixel at the bottom")
    let boxed = Placement(
      canvas: canvas, origin: SIMD2(240, 0), scale: SIMD2(0.5, 0.5), picture: Size(width: 2400, height: 1080))
    #expect(
      boxed.words
        == "scaled from 3840x2160 to 1920x1080; boxed: 240 pixels on the left and 240 pixels on the right")
    let both = Placement(canvas: canvas, origin: SIMD2(10, -20), picture: Size(width: 3900, height: 2140))
    #expect(both.cutOff == .init(top: 20))
    #expect(both.box == .init(left: 10, right: 50))
  }

  /// The words of a mirrored and turned picture say the way in which it is made: mirror first, then turn.
  @Test(arguments: Orientation.allCases)
  func turnsAreNamed(_ orientation: Orientation) throws {
    let mirror = Orientation(swapsAxes: false, reversesColumns: true, reversesRows: false)
    let words = Placement(canvas: canvas, orientation: orientation, picture: orientation.rotated(canvas)).words
    var made = Orientation.identity
    if words.contains("mirrored left to right") { made = made.followed(by: mirror) }
    if words.contains("mirrored top to bottom") { made = made.followed(by: mirror).followed(by: .upsideDown) }
    if words.contains("90° clockwise") { made = made.followed(by: .clockwise) }
    if words.contains("90° counterclockwise") { made = made.followed(by: .counterclockwise) }
    if words.contains("180°") { made = made.followed(by: .upsideDown) }
    #expect(made == orientation, "\(words)")
    #expect(orientation.isMirrored == words.contains("mirrored"))
  }

  @Test func nonsenseIsNoTrap() {
    let placement = Placement(
      canvas: canvas, origin: SIMD2(.nan, .infinity), scale: SIMD2(1e300, -.infinity), picture: canvas)
    #expect(!placement.words.isEmpty)
  }
}
