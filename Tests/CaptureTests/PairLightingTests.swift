import CV4L2
import Foundation
import Frames
import Testing

import Capture

/// The light of a device while a pair of frames is captured.
@Suite struct PairLightingTests {
  private static func script(hasFlash: Bool = true) -> ScriptedDevice {
    let script = ScriptedDevice()
    let (menu, number) = (V4L2_CTRL_TYPE_MENU.rawValue, V4L2_CTRL_TYPE_INTEGER.rawValue)
    script.controls = [
      .init(id: UInt32(V4L2_CID_EXPOSURE_AUTO), name: "Auto", type: menu, range: 0...3, value: 3),
      .init(id: UInt32(V4L2_CID_EXPOSURE_ABSOLUTE), name: "Exposure", type: number, range: 3...2047, value: 100),
    ]
    if hasFlash {
      script.controls.append(
        .init(id: UInt32(V4L2_CID_FLASH_LED_MODE), name: "LED", type: menu, range: 0...2, value: 2))
    }
    return script
  }

  private static func values(_ script: ScriptedDevice) -> [Int64] { script.locked { script.controls.map(\.value) } }

  @Test func theFlashIsOnForSomeFrames() throws {
    let script = Self.script()
    let lighting = try PairLighting(CaptureDevice(script, path: "/dev/video9"))
    #expect(lighting.isExposureHeld && lighting.exposure?.seconds == 0.01)
    #expect(script.settings == ["Auto 1", "LED 0"])
    var lit: [Int] = []
    for number in 0..<40 {
      try lighting.advance(to: number)
      if Self.values(script)[2] == 2 { lit.append(number) }
    }
    #expect(lit.count >= 10 && lit[0] > PairLighting.settling && lit == Array(lit[0]...lit[lit.count - 1]))
    lighting.restore()
    #expect(Self.values(script) == [3, 100, 2])
  }

  @Test func withoutAFlashOnlyExposureIsHeld() throws {
    let script = Self.script(hasFlash: false)
    do {
      let lighting = try PairLighting(CaptureDevice(script, path: "/dev/video9"))
      for number in 0..<40 { try lighting.advance(to: number) }
      #expect(lighting.flash == nil && script.settings == ["Auto 1"])
    }
    #expect(Self.values(script) == [3, 100])
  }

  @Test func aRefusalEndsThePairAndIsRestored() throws {
    let script = Self.script()
    let device = try CaptureDevice(script, path: "/dev/video9")
    do {
      let lighting = try PairLighting(device)
      script.controls[2].flags = UInt32(V4L2_CTRL_FLAG_GRABBED)
      #expect(throws: CaptureError.requestFailed(path: "/dev/video9", request: "S_EXT_CTRLS", code: EBUSY)) {
        for number in 0..<40 { try lighting.advance(to: number) }
      }
      script.controls[2].flags = 0
    }
    #expect(Self.values(script) == [3, 100, 2])
  }

  @Test func aDeviceThatVanishesIsSaid() throws {
    let script = Self.script()
    let device = try CaptureDevice(script, path: "/dev/video9")
    let lighting = try PairLighting(device)
    script.unplug()
    #expect(throws: CaptureError.isGone(path: "/dev/video9")) {
      for number in 0..<40 { try lighting.advance(to: number) }
    }
    lighting.restore()
  }

  /// A torch whose intensity can be set.
  private static func dimmable() -> ScriptedDevice {
    let script = script()
    script.controls.append(
      .init(
        id: UInt32(V4L2_CID_FLASH_TORCH_INTENSITY), name: "Torch", type: V4L2_CTRL_TYPE_INTEGER.rawValue,
        range: 20...120, value: 30))
    return script
  }

  @Test func anotherPairHasOtherSettings() throws {
    let script = Self.dimmable()
    let lighting = try PairLighting(CaptureDevice(script, path: "/dev/video9"))
    let factors = try #require(lighting.exposureFactors)
    #expect(abs(factors.lowerBound - 0.03) < 1e-9 && abs(factors.upperBound - 20.47) < 1e-9)
    #expect(lighting.flashFactors == 20.0 / 120...1 && lighting.intensity == 1)
    for number in 0..<20 { try lighting.advance(to: number) }
    #expect(script.settings == ["Auto 1", "LED 0", "Torch 120", "LED 2"])
    #expect(try lighting.begin(exposure: 0.25, intensity: 0.5))
    #expect(script.settings.suffix(2) == ["LED 0", "Exposure 25"])
    #expect(lighting.exposure?.seconds == 0.0025 && lighting.intensity == 0.5)
    for number in 0..<40 { try lighting.advance(to: number) }
    #expect(script.settings.suffix(3) == ["Torch 60", "LED 2", "LED 0"])
    // Factors are those of what is set, and limited to what can be.
    #expect(lighting.flashFactors == 20.0 / 60...2)
    #expect(try lighting.begin(exposure: 1e6, intensity: 1e6))
    #expect(lighting.exposure?.seconds == 0.2047 && lighting.intensity == 1)
    #expect(try !lighting.begin(exposure: 1, intensity: 1))
    lighting.restore()
    #expect(Self.values(script) == [3, 100, 2, 30])
  }

  @Test func whatCannotBeSetIsSaid() throws {
    // It goes on choosing its exposure.
    let automatic = Self.script()
    automatic.controls[0].flags = UInt32(V4L2_CTRL_FLAG_READ_ONLY)
    let lighting = try PairLighting(CaptureDevice(automatic, path: "/dev/video9"))
    #expect(!lighting.isExposureHeld && lighting.exposureFactors == nil && lighting.flashFactors == nil)
    #expect(try !lighting.begin(exposure: 0.5, intensity: 0.5) && lighting.intensity == nil)
    // It refuses.
    let script = Self.script()
    script.controls[1].flags = UInt32(V4L2_CTRL_FLAG_READ_ONLY)
    let fixed = try PairLighting(CaptureDevice(script, path: "/dev/video9"))
    #expect(try !fixed.begin(exposure: 0.5, intensity: 1))
    #expect(fixed.exposureFactors == nil && fixed.exposure?.seconds == 0.01)
  }
}
