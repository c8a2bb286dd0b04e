import ColorScience
import Foundation
import Frames
import Media
import Preview
import Synchronization
import Testing

/// Windows of SDL's driver without a display. SDL has one state in a process: one test after the other.
@Suite(.serialized) struct WindowScreenTests {
  @Test func aPictureIsInTheMiddlePixelForPixel() throws {
    let window = try OpenWindow(preferred: Size(width: 400, height: 301))
    defer { window.screen.close() }
    #expect(window.screen.area == ScreenArea(size: Size(width: 400, height: 301)))
    #expect(window.screen.layout == PixelLayout(.rgb, bitDepth: 8))
    let picture = WindowPicture(size: Size(width: 301, height: 200), layout: window.screen.layout)
    try window.screen.write(picture.frame)
    let shown = try #require(window.screen.presentedPixels())
    #expect(shown.size == window.screen.area.size)
    #expect(picture.differences(in: shown, x: 49, y: 50) == 0)
  }

  @Test func aWindowThatIsResizedKeepsThePictureAndSaysSo() throws {
    let window = try OpenWindow(preferred: Size(width: 400, height: 300))
    defer { window.screen.close() }
    let picture = WindowPicture(size: Size(width: 400, height: 300), layout: window.screen.layout)
    try window.screen.write(picture.frame)
    for (size, x, y) in [
      (Size(width: 500, height: 311), 50, 5), (Size(width: 400, height: 300), 0, 0),
      (Size(width: 333, height: 300), -34, 0), (Size(width: 500, height: 200), 50, -50),
    ] {
      window.screen.resize(to: size)
      let shown = try #require(window.screen.presentedPixels())
      #expect(shown.size == size && window.screen.area.size == size)
      // What was cropped is black; what is left of the picture is where it was.
      if size.width >= 400 && size.height >= 300 {
        #expect(picture.differences(in: shown, x: x, y: y) == 0)
      }
      #expect(window.inputs.contains(.areaChanged))
      try window.screen.write(picture.frame)
      let again = try #require(window.screen.presentedPixels())
      #expect(picture.differences(in: again, x: x, y: y) == 0)
    }
  }

  @Test func textOnlyChangesItsBoxes() throws {
    let window = try OpenWindow(preferred: Size(width: 640, height: 360))
    defer { window.screen.close() }
    let picture = WindowPicture(size: Size(width: 640, height: 360), layout: window.screen.layout)
    try window.screen.write(picture.frame)
    var status = PreviewStatus()
    status.source = "P010 1920x1080"
    window.screen.show(status)
    window.screen.send(.text("ii?"))
    window.screen.say("Snapshot written")
    let shown = try #require(window.screen.presentedPixels())
    // The message is in the upper corner, the help in the middle: the margins stay.
    #expect(picture.differences(in: shown, x: 0, y: 0) > 10_000)
    #expect(picture.isSame(in: shown, rows: 0..<8))
    // Taken away again, nothing of them is left.
    window.screen.send(.text("i?"))
    #expect(window.waits { picture.isAlone(in: $0) })
  }

  @Test func theStatusIsPaintedWithoutAPicture() throws {
    let window = try OpenWindow(preferred: Size(width: 640, height: 360))
    defer { window.screen.close() }
    var status = PreviewStatus()
    status.fault = "no signal"
    window.screen.show(status)
    #expect(
      window.waits { $0.screen.presentedPixels()?.pixels.contains { $0 & 0xFF > 200 } ?? false })
  }

  @Test func everyKeyOfHelpIsACommandOrIsDone() throws {
    let window = try OpenWindow(preferred: Size(width: 640, height: 360))
    defer { window.screen.close() }
    for key in PreviewKey.all {
      for press in key.presses {
        window.inputs.removeAll()
        window.screen.send(press)
        _ = window.screen.presentedPixels()
        let isOwn = [.toggleFullScreen, .toggleStatus, .toggleHelp].contains(key.command)
        #expect(window.inputs.commands == (isOwn ? [] : [key.command]))
      }
    }
  }

  @Test func thePointerIsAFractionOfThePicture() throws {
    let window = try OpenWindow(preferred: Size(width: 400, height: 300))
    defer { window.screen.close() }
    try window.screen.write(
      WindowPicture(size: Size(width: 200, height: 100), layout: window.screen.layout).frame)
    func pointer(_ x: Double, _ y: Double) -> SIMD2<Double>? {
      window.screen.send(.pointer(x: x, y: y))
      _ = window.screen.presentedPixels()
      return window.screen.pointer
    }
    #expect(pointer(100, 100) == SIMD2(0, 0))
    #expect(pointer(250, 125) == SIMD2(0.75, 0.25))
    #expect(pointer(300, 100) == nil)
    #expect(pointer(299.5, 199.5).map { $0.x < 1 && $0.y < 1 } == true)
    #expect(pointer(10, 10) == nil)
    window.inputs.removeAll()
    for x in 0..<200 { window.screen.send(.pointer(x: 100 + Double(x), y: 150)) }
    _ = window.screen.presentedPixels()
    window.screen.send(.pointerLeft)
    _ = window.screen.presentedPixels()
    #expect(window.screen.pointer == nil)
    #expect(window.inputs.all.filter { $0 == .pointerMoved }.count < 100)
    #expect(window.waits { $0.inputs.contains(.pointerMoved) })
  }

  @Test func nothingWaitsAfterAnInterruptionOrAClosing() throws {
    let window = try OpenWindow(preferred: Size(width: 400, height: 300))
    let picture = WindowPicture(size: Size(width: 400, height: 300), layout: window.screen.layout)
    try window.screen.write(picture.frame)
    window.screen.interrupt()
    try window.screen.write(picture.frame)
    window.screen.close()
    try window.screen.write(picture.frame)
    window.screen.say("late")
    window.screen.show(PreviewStatus())
    window.screen.close()
    #expect(window.screen.pointer == nil)
  }

  @Test func anotherLayoutIsRefused() throws {
    let window = try OpenWindow(preferred: Size(width: 400, height: 300))
    defer { window.screen.close() }
    let picture = WindowPicture(
      size: Size(width: 40, height: 30), layout: PixelLayout(.rgb, bitDepth: 10))
    #expect(
      throws: ScreenError.wrongLayout(
        expected: PixelLayout(.rgb, bitDepth: 8), actual: PixelLayout(.rgb, bitDepth: 10))
    ) { try window.screen.write(picture.frame) }
  }

  @Test func thereIsOneWindowAtATimeAndAnotherAfterIt() throws {
    let first = try OpenWindow(preferred: Size(width: 400, height: 300))
    #expect(throws: ScreenError.isInUse) {
      _ = try OpenWindow(preferred: Size(width: 400, height: 300))
    }
    first.screen.close()
    let second = try OpenWindow(preferred: Size(width: 400, height: 300))
    second.screen.close()
  }

  @Test func theCloseButtonIsReportedAndTheLostConnectionIsAnError() throws {
    let window = try OpenWindow(preferred: Size(width: 400, height: 300))
    defer { window.screen.close() }
    window.screen.send(.closed)
    _ = window.screen.presentedPixels()
    #expect(window.inputs.contains(.closed))
    #expect(window.screen.failure == nil)
    window.screen.send(.lost)
    let picture = WindowPicture(size: Size(width: 40, height: 30), layout: window.screen.layout)
    #expect(throws: ScreenError.connectionLost) {
      for _ in 0..<1000 {
        try window.screen.write(picture.frame)
        Thread.sleep(forTimeInterval: 0.01)
      }
    }
  }

  @Test func aDriverThatDoesNotExistIsAReason() throws {
    #expect {
      _ = try OpenWindow(preferred: Size(width: 400, height: 300), driver: "nothing")
    } throws: { error in
      guard case .cannotOpen = error as? ScreenError else { return false }
      return "\(error)".contains("DISPLAY")
    }
  }
}
