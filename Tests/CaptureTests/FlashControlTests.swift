import CV4L2
import Foundation
import Frames
import Media
import Testing

import Capture

/// The flash and the exposure of a device, for the time of a pair of pictures.
@Suite struct FlashControlTests {
  private static let menu = V4L2_CTRL_TYPE_MENU.rawValue
  private static let number = V4L2_CTRL_TYPE_INTEGER.rawValue
  private static let boolean = V4L2_CTRL_TYPE_BOOLEAN.rawValue
  private static let button = V4L2_CTRL_TYPE_BUTTON.rawValue

  /// A camera that chooses its exposure, with a torch.
  private static func script() -> ScriptedDevice {
    let script = ScriptedDevice()
    func id(_ number: Int32) -> UInt32 { UInt32(number) }
    script.controls = [
      .init(id: id(V4L2_CID_AUTO_WHITE_BALANCE), name: "AWB", type: boolean, range: 0...1, value: 1),
      .init(id: id(V4L2_CID_GAIN), name: "Gain", type: number, value: 40),
      .init(id: id(V4L2_CID_WHITE_BALANCE_TEMPERATURE), name: "WB", type: number, range: 2800...6500, value: 4600),
      .init(
        id: id(V4L2_CID_EXPOSURE_AUTO), name: "Auto", type: menu, range: 0...3, value: 3,
        items: [1: "Manual", 3: "Aperture"]),
      .init(id: id(V4L2_CID_EXPOSURE_ABSOLUTE), name: "Exposure", type: number, range: 3...2047, value: 250),
      .init(
        id: id(V4L2_CID_FLASH_LED_MODE), name: "LED", type: menu, range: 0...2,
        items: [0: "None", 1: "Flash", 2: "Torch"]),
      .init(id: id(V4L2_CID_FLASH_STROBE), name: "Strobe", type: button, range: 0...1),
      .init(id: id(V4L2_CID_FLASH_STROBE_STOP), name: "Stop", type: button, range: 0...1),
      .init(id: id(V4L2_CID_FLASH_TIMEOUT), name: "Timeout", type: number, range: 1000...500_000, value: 1000),
      .init(id: id(V4L2_CID_FLASH_INTENSITY), name: "Intensity", type: number, range: 10...90, value: 10),
      .init(id: id(V4L2_CID_FLASH_TORCH_INTENSITY), name: "Torch", type: number, range: 20...120, value: 30),
    ]
    return script
  }

  private static func values(_ script: ScriptedDevice) -> [Int64] { script.locked { script.controls.map(\.value) } }

  @Test func theTorchIsDrivenAndRestored() throws {
    let script = Self.script()
    let before = Self.values(script)
    let device = try CaptureDevice(script, path: "/dev/video9")
    let flash = try #require(device.flash)
    #expect(flash.light == .torch && flash.intensities == 20...120)
    let hold = ControlHold(device)
    try hold.switchOn(flash, level: 0.5)
    #expect(script.settings == ["Torch 70", "LED 2"])
    try hold.switchOff(flash)
    try hold.switchOn(flash)
    #expect(script.settings.suffix(3) == ["LED 0", "Torch 120", "LED 2"])
    hold.restore()
    #expect(Self.values(script) == before)
    // Once is enough.
    let count = script.settings.count
    hold.restore()
    #expect(script.settings.count == count)
  }

  @Test func aStrobeIsFiredAsLongAsItCan() throws {
    let script = Self.script()
    script.controls[5].items[2] = nil
    let before = Self.values(script)
    let device = try CaptureDevice(script, path: "/dev/video9")
    let flash = try #require(device.flash)
    #expect(flash.light == .strobe && flash.intensities == 10...90)
    do {
      let hold = ControlHold(device)
      try hold.switchOn(flash, level: 2)
      #expect(script.settings == ["Intensity 90", "Timeout 500000", "LED 1", "Strobe 1"])
      try hold.switchOff(flash)
      #expect(script.settings.suffix(2) == ["Stop 1", "LED 0"])
    }
    // Buttons have no value to go back to.
    script.controls[6].value = 0
    script.controls[7].value = 0
    #expect(Self.values(script) == before)
  }

  @Test func aFlashThatCannotBeUsedIsNone() throws {
    let device = { (change: (ScriptedDevice) -> Void) in
      let script = Self.script()
      change(script)
      return try CaptureDevice(script, path: "/dev/video9")
    }
    #expect(try device { $0.controls.remove(at: 5) }.flash == nil)
    #expect(try device { $0.controls[5].flags = UInt32(V4L2_CTRL_FLAG_READ_ONLY) }.flash == nil)
    #expect(try device { $0.controls[5].items = [0: "None"] }.flash == nil)
    #expect(try device { $0.controls[10].range = 20...20 }.flash?.intensities == nil)
  }

  @Test func exposureIsReadHeldAndRestored() throws {
    let script = Self.script()
    let before = Self.values(script)
    let device = try CaptureDevice(script, path: "/dev/video9")
    #expect(device.exposure.isAutomatic && device.exposure.gain == 40)
    #expect(abs((device.exposure.exposure?.seconds ?? 0) - 0.025) < 1e-12)
    let hold = ControlHold(device)
    #expect(try hold.holdExposure())
    #expect(script.settings == ["Auto 1", "AWB 0"] && !device.exposure.isAutomatic)
    #expect(try hold.setExposure(0.01) == 0.01 && hold.setExposure(9) == 0.2047 && hold.setExposure(.nan) == nil)
    hold.restore()
    #expect(Self.values(script) == before)
    #expect(script.settings.suffix(3) == ["Exposure 250", "AWB 1", "Auto 3"])
  }

  @Test func aRefusedSettingIsSaid() throws {
    let script = Self.script()
    script.controls[3].flags = UInt32(V4L2_CTRL_FLAG_READ_ONLY)
    script.controls[4].flags = UInt32(V4L2_CTRL_FLAG_READ_ONLY)
    let device = try CaptureDevice(script, path: "/dev/video9")
    let flash = try #require(device.flash)
    script.controls[5].flags = UInt32(V4L2_CTRL_FLAG_GRABBED)
    let hold = ControlHold(device)
    #expect(try !hold.holdExposure())
    #expect(try hold.setExposure(0.01) == nil)
    let busy = #expect(throws: CaptureError.self) { try hold.switchOn(flash) }
    #expect(
      busy == .requestFailed(path: "/dev/video9", request: "S_EXT_CTRLS", code: EBUSY) && busy?.kind == .temporary)
    hold.restore()
    #expect(script.controls[10].value == 30 && script.controls[0].value == 1)
  }

  @Test func aStrobeThatFailsIsSwitchedOff() throws {
    let script = Self.script()
    script.controls[5].items[2] = nil
    script.controls[6].flags = UInt32(V4L2_CTRL_FLAG_GRABBED)
    let device = try CaptureDevice(script, path: "/dev/video9")
    let hold = ControlHold(device)
    #expect(throws: CaptureError.self) { try hold.switchOn(try #require(device.flash)) }
    #expect(script.controls[5].value == 0)
  }

  @Test func aBusyDeviceIsAskedAgain() throws {
    let script = Self.script()
    let before = Self.values(script)
    let device = try CaptureDevice(script, path: "/dev/video9")
    let hold = ControlHold(device)
    try hold.switchOn(try #require(device.flash))
    let made = script.made[DeviceRequests.setControls.code] ?? 0
    script.faults = [.init(request: DeviceRequests.setControls.code, from: made + 1, count: 3, code: EBUSY)]
    hold.restore()
    #expect(Self.values(script) == before)
  }

  @Test func aDeviceThatHasGoneIsSaid() throws {
    let script = Self.script()
    let device = try CaptureDevice(script, path: "/dev/video9")
    let flash = try #require(device.flash)
    let hold = ControlHold(device)
    try hold.switchOn(flash)
    script.unplug()
    #expect(throws: CaptureError.isGone(path: "/dev/video9")) { try hold.switchOff(flash) }
    #expect(device.flash == nil && device.exposure.seconds == nil)
    hold.restore()
  }
}
