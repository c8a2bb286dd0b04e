import Foundation
import Frames
import Preview
import TestSupport
import Testing

/// Windows on displays: each test has an X server of its own, in a process of its own, which the environment can be set for.
@Suite(.serialized, .enabled(if: TestDisplay.isAvailable)) struct WindowDisplayTests {
  @Test func aPictureIsOnTheDisplayPixelForPixel() async {
    await #expect(processExitsWith: .success) {
      let display = try TestDisplay(size: "800x600x24")
      let window = try OpenWindow(preferred: Size(width: 400, height: 301), driver: nil)
      let picture = WindowPicture(size: Size(width: 400, height: 301), layout: window.screen.layout)
      try window.screen.write(picture.frame)
      #expect(window.screen.area == ScreenArea(size: Size(width: 400, height: 301)))
      let shown = try #require(window.screen.presentedPixels())
      #expect(picture.differences(in: shown, x: 0, y: 0) == 0)
      // Without a window manager it is where SDL has put it: in the middle.
      let root = WindowPicture.Shown(try display.pixels(), Size(width: 800, height: 600), .xrgb8)
      #expect(picture.differences(in: root, x: 200, y: 149) == 0)
      window.screen.close()
      display.end()
    }
  }

  @Test func tenBitsArrive() async {
    await #expect(processExitsWith: .success) {
      let display = try TestDisplay(size: "800x600x30")
      let window = try OpenWindow(preferred: Size(width: 400, height: 300), driver: nil)
      #expect(window.screen.layout == PixelLayout(.rgb, bitDepth: 10))
      let picture = WindowPicture(size: Size(width: 300, height: 200), layout: window.screen.layout)
      try window.screen.write(picture.frame)
      let shown = try #require(window.screen.presentedPixels())
      #expect(shown.format.bitDepth == 10)
      #expect(picture.differences(in: shown, x: 50, y: 50) == 0)
      window.screen.close()
      display.end()
    }
  }

  @Test func sixteenBitsAreConverted() async {
    await #expect(processExitsWith: .success) {
      let display = try TestDisplay(size: "800x600x16")
      let window = try OpenWindow(preferred: Size(width: 400, height: 300), driver: nil)
      let picture = WindowPicture(size: Size(width: 400, height: 300), layout: window.screen.layout)
      try window.screen.write(picture.frame)
      let pixels = try display.pixels()
      for (x, y) in [(0, 0), (17, 3), (399, 299)] {
        let shown = PackedFormat.xrgb8.components(of: pixels[(150 + y) * 800 + 200 + x])
        for (index, plane) in [2, 0, 1].enumerated() {
          #expect(abs(Int(shown[index]) - picture.frame.sample(plane: plane, x: x, y: y)) <= 8)
        }
      }
      window.screen.close()
      display.end()
    }
  }

  @Test func everyKeyDoesWhatHelpSays() async {
    await #expect(processExitsWith: .success) {
      let display = try TestDisplay(size: "800x600x24")
      let window = try OpenWindow(preferred: Size(width: 640, height: 360), driver: nil)
      try window.screen.write(
        WindowPicture(size: Size(width: 640, height: 360), layout: window.screen.layout).frame)
      for key in PreviewKey.all
      where ![.toggleFullScreen, .toggleStatus, .toggleHelp].contains(key.command) {
        for press in key.presses {
          window.inputs.removeAll()
          try display.press(press)
          #expect(window.waits { !$0.inputs.commands.isEmpty })
          #expect(window.inputs.commands == [key.command], "\(press.label)")
        }
      }
      let before = try display.pixels()
      try display.press(.character("?"))
      #expect(try comesTrue(every: 0.05) { try display.pixels() != before })
      try display.press(.character("?"))
      #expect(try comesTrue(every: 0.05) { try display.pixels() == before })
      window.screen.close()
      display.end()
    }
  }

  @Test func fullScreenIsAllOfTheDisplay() async {
    await #expect(processExitsWith: .success) {
      let display = try TestDisplay(size: "800x600x24")
      let window = try OpenWindow(preferred: Size(width: 640, height: 360), driver: nil)
      for press in [PreviewKey.Press.character("f"), .special(.f11)] {
        try display.press(press)
        #expect(window.waits { $0.screen.area.size == Size(width: 800, height: 600) })
        #expect(window.waits { $0.inputs.contains(.areaChanged) })
        try display.press(press)
        #expect(window.waits { $0.screen.area.size == Size(width: 640, height: 360) })
      }
      // Esc leaves it, and quits only then.
      try display.press(.character("f"))
      #expect(window.waits { $0.screen.area.size == Size(width: 800, height: 600) })
      try display.press(.special(.escape))
      #expect(window.waits { $0.screen.area.size == Size(width: 640, height: 360) })
      #expect(window.inputs.commands.isEmpty)
      window.screen.close()
      display.end()
    }
  }

  @Test func aServerThatEndsIsAnErrorAndNotTheEndOfTheProcess() async {
    await #expect(processExitsWith: .success) {
      let display = try TestDisplay(size: "800x600x24")
      let window = try OpenWindow(preferred: Size(width: 640, height: 360), driver: nil)
      let picture = WindowPicture(size: Size(width: 640, height: 360), layout: window.screen.layout)
      try window.screen.write(picture.frame)
      display.end()
      #expect(window.waits { $0.inputs.contains(.closed) })
      #expect(throws: ScreenError.connectionLost) { try window.screen.write(picture.frame) }
      window.screen.close()
      #expect(throws: ScreenError.connectionLost) {
        _ = try OpenWindow(preferred: Size(width: 640, height: 360), driver: nil)
      }
    }
  }

  @Test func aServerThatHangsHoldsUpNothingForever() async {
    await #expect(processExitsWith: .success) {
      let display = try TestDisplay(size: "800x600x24")
      let window = try OpenWindow(preferred: Size(width: 640, height: 360), driver: nil)
      let picture = WindowPicture(size: Size(width: 640, height: 360), layout: window.screen.layout)
      try window.screen.write(picture.frame)
      display.freeze()
      let screen = window.screen
      Thread.detachNewThread {
        Thread.sleep(forTimeInterval: 1)
        screen.interrupt()
      }
      try window.screen.write(picture.frame)
      window.screen.close()
      display.end()
    }
  }

  @Test func aDisplayThatIsNotThereIsAnError() async {
    await #expect(processExitsWith: .success) {
      unsafe setenv("DISPLAY", ":63999", 1)
      unsafe unsetenv("WAYLAND_DISPLAY")
      #expect(WindowScreen.isDisplayAvailable)
      #expect(throws: ScreenError.self) {
        _ = try OpenWindow(preferred: Size(width: 640, height: 360), driver: nil)
      }
      unsafe unsetenv("DISPLAY")
      #expect(!WindowScreen.isDisplayAvailable)
      #expect(throws: ScreenError.noDisplay) {
        _ = try OpenWindow(preferred: Size(width: 640, height: 360), driver: nil)
      }
    }
  }

  /// Weston in an X server, at 200 %: a point is four pixels, and none of the picture's is blown up.
  @Test(.enabled(if: TestDisplay.hasWeston)) func pixelsOfAScaledDesktopAreTheDisplays() async {
    await #expect(processExitsWith: .success) {
      let display = try TestDisplay(size: "1600x1000x24", isWayland: true)
      try display.movePointer(x: 1590, y: 990)
      let window = try OpenWindow(preferred: Size(width: 800, height: 500), driver: nil)
      #expect(window.screen.area == ScreenArea(size: Size(width: 800, height: 500), scale: 2))
      let picture = WindowPicture(size: Size(width: 300, height: 200), layout: window.screen.layout)
      try window.screen.write(picture.frame)
      // A compositor puts windows where it likes.
      #expect(try comesTrue(every: 0.05) { try picture.isFound(in: display.pixels(), width: 1600) })
      window.screen.close()
      display.end()
    }
  }
}
