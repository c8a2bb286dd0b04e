import ColorScience
import Displays
import Foundation
import TestSupport
import Testing

/// Displays and backlights of a folder that is shaped like `/sys`.
@Suite struct ConnectedDisplayTests {
  private let scratch: Scratch
  private let root: String
  private var store: WhitePointStore { WhitePointStore(path: scratch.path("config/white-points.json")) }

  init() throws {
    scratch = try Scratch()
    root = scratch.folder.path
  }

  private func write(_ path: String, _ data: Data) throws {
    let file = scratch.folder.appendingPathComponent(path)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: file)
  }

  private func write(_ path: String, _ text: String) throws { try write(path, Data((text + "\n").utf8)) }

  private func connect(_ name: String, _ edid: String?) throws {
    let bytes = try edid.map { name in
      try Data(
        contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("EDIDs/\(name)"))
    }
    try write("class/drm/\(name)/edid", bytes ?? Data())
    try write("class/drm/\(name)/status", "connected")
  }

  private func backlight(_ level: Int, scale: String = "linear", device: String?) throws {
    try write("class/backlight/panel/max_brightness", "1000")
    try write("class/backlight/panel/actual_brightness", "\(level)")
    try write("class/backlight/panel/scale", scale)
    let link = scratch.folder.appendingPathComponent("class/backlight/panel/device")
    try? FileManager.default.removeItem(at: link)
    if let device { try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: device) }
  }

  @Test func readsWhatIsConnected() throws {
    try connect("card0-eDP-1", "acer-acr0632-dp.bin")
    try connect("card0-HDMI-A-1", "acer-xv273k-dp1-corrupted.bin")
    try connect("card0-DP-1", nil)
    try write("class/drm/card0-DP-2/status", "disconnected")
    try write("class/drm/version", "drm 1.1.0 20060810")
    try backlight(500, device: "../../card0-eDP-1")
    let displays = ConnectedDisplay.all(root: root)
    #expect(displays.map(\.connector) == ["card0-DP-1", "card0-HDMI-A-1", "card0-eDP-1"])
    #expect(displays[0].edid == .failure(.unreadable(path: "card0-DP-1", reason: "it has no EDID")))
    #expect(try displays[2].status().brightness == 0.5)
    let white = try displays[2].status().sdrWhite
    #expect(abs(white - 101.5) < 1e-9)
    #expect(try DisplaySource(named: "eDP-1", root: root).status() == displays[2].status())
    #expect(ConnectedDisplay.all(root: root + "/nowhere").isEmpty)
    #expect(throws: DisplayError.notConnected(name: "DP-2")) { try DisplaySource(named: "DP-2", root: root) }
    #expect(throws: DisplayError.unreadable(path: "card0-DP-1", reason: "it has no EDID")) {
      try DisplaySource(named: "DP-1", root: root).status()
    }
  }

  @Test func backlightsWithoutAConnectorLightThePanel() throws {
    try connect("card0-eDP-1", "acer-acr0632-dp.bin")
    try connect("card0-HDMI-A-1", "acer-acr0632-dp.bin")
    try backlight(500, scale: "non-linear", device: "../../LNXVIDEO:00")
    let displays = ConnectedDisplay.all(root: root)
    #expect(displays[0].backlight == nil)
    // L* of 50 is a luminance of 0.184.
    let level = try #require(displays[1].backlight?.level)
    #expect(try displays[1].status().brightness == level)
    #expect(abs(level - 0.18418651851) < 1e-9)
    try backlight(5000, device: nil)
    #expect(displays[1].backlight?.level == 1)
    for text in ["", "many", "-3"] {
      try write("class/backlight/panel/actual_brightness", text)
      try write("class/backlight/panel/brightness", text)
      #expect(displays[1].backlight?.level == nil)
      // Full brightness would be a guess.
      #expect(throws: DisplayError.self) { try displays[1].status() }
    }
  }

  @Test func whitePointsAreStored() throws {
    try connect("card0-HDMI-A-1", "acer-acr0632-dp.bin")
    try connect("card0-HDMI-A-2", "acer-xv273k-dp1.bin")
    let own = WhitePointAdaptation(
      measured: .init(Chromaticity(x: 0.305, y: 0.32), luminance: 200), target: .init(.d65, luminance: 150))
    func whitePoints() throws -> [WhitePointAdaptation?] {
      try ConnectedDisplay.all(root: root, store: store).map { try $0.model().whitePoint }
    }
    #expect(try whitePoints() == [nil, nil])
    try ConnectedDisplay.setWhitePoint(own, of: "HDMI-A-1", root: root, store: store)
    #expect(try whitePoints() == [own, nil])
    var other = own
    other.target.luminance = nil
    try ConnectedDisplay.setWhitePoint(other, of: "HDMI-A-2", root: root, store: store)
    #expect(try whitePoints() == [own, other])
    try ConnectedDisplay.setWhitePoint(nil, of: "HDMI-A-1", root: root, store: store)
    #expect(try whitePoints() == [nil, other])
    let impossible = WhitePointAdaptation(measured: own.measured, target: .init(Chromaticity(x: 0.7, y: 0.3)))
    #expect(throws: DisplayError.self) {
      try ConnectedDisplay.setWhitePoint(impossible, of: "HDMI-A-2", root: root, store: store)
    }
    #expect(throws: DisplayError.notConnected(name: "DP-1")) {
      try ConnectedDisplay.setWhitePoint(own, of: "DP-1", root: root, store: store)
    }
    // A store that cannot be read is an error rather than another colour.
    try write("config/white-points.json", "{")
    #expect(throws: DisplayError.whitePoints(path: store.path, reason: "it does not hold white points by display")) {
      try ConnectedDisplay.all(root: root, store: store)[1].model()
    }
    #expect(throws: DisplayError.self) {
      try ConnectedDisplay.setWhitePoint(own, of: "HDMI-A-1", root: root, store: store)
    }
    #expect(throws: DisplayError.self) {
      try WhitePointStore(path: "/proc/headroom/white-points.json").set(own, for: "x")
    }
  }

  @Test func busesOfConnectors() throws {
    try connect("card0-HDMI-A-1", "acer-acr0632-dp.bin")
    try connect("card0-DP-1", "acer-acr0632-dp.bin")
    try connect("card0-DP-2", "acer-acr0632-dp.bin")
    let folder = scratch.folder.appendingPathComponent("class/drm")
    try FileManager.default.createSymbolicLink(
      atPath: folder.appendingPathComponent("card0-HDMI-A-1/ddc").path, withDestinationPath: "../../../i2c-5")
    try write("class/drm/card0-DP-1/i2c-12/name", "AUX A")
    try write("class/drm/card0-DP-2/i2c-99999999999/name", "no number of a bus")
    #expect(ConnectedDisplay.all(root: root).map(\.i2cBus) == [12, nil, 5])
  }

  @Test func changesArrive() async throws {
    try connect("card0-eDP-1", "acer-acr0632-dp.bin")
    try backlight(1000, device: "../../card0-eDP-1")
    let monitor = try DisplayMonitor(DisplaySource(named: "eDP-1", root: root, store: store))
    defer { monitor.stop() }
    var changes = monitor.changes.makeAsyncIterator()
    try backlight(250, device: "../../card0-eDP-1")
    var status = await changes.next()
    while status?.brightness != 0.25 { status = await changes.next() }
    #expect(monitor.status == status)
    // An unplugged display stays as it was.
    #expect(monitor.fault == nil)
    try write("class/drm/card0-eDP-1/status", "disconnected")
    while monitor.fault == nil { try await Task.sleep(for: .milliseconds(20)) }
    #expect(monitor.fault == .notConnected(name: "card0-eDP-1") && monitor.status == status)
    try write("class/drm/card0-eDP-1/status", "connected")
    while monitor.fault != nil { try await Task.sleep(for: .milliseconds(20)) }
    monitor.stop()
    #expect(await changes.next() == nil)
    var late = monitor.changes.makeAsyncIterator()
    #expect(await late.next() == nil)
  }

  @Test func pipesDoNotBlock() throws {
    try connect("card0-eDP-1", nil)
    let edid = scratch.path("class/drm/card0-eDP-1/edid")
    try FileManager.default.removeItem(atPath: edid)
    #expect(unsafe mkfifo(edid, 0o600) == 0)
    #expect(ConnectedDisplay.all(root: root).map(\.connector) == ["card0-eDP-1"])
  }

  @Test func filesAreFollowed() async throws {
    let path = scratch.path("display.json")
    func write(_ text: String) throws {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    }
    try write(#"{"peak": 1000, "sdrWhite": 100}"#)
    let monitor = try DisplayMonitor(.file(path: path))
    defer { monitor.stop() }
    var changes = monitor.changes.makeAsyncIterator()
    // What is no display leaves it as it was.
    try write("{")
    while monitor.fault == nil { try await Task.sleep(for: .milliseconds(20)) }
    #expect(monitor.takeFault() != nil && monitor.takeFault() == nil)
    #expect(monitor.status.currentHeadroom == 10)
    try write(#"{"peak": 1000, "sdrWhite": 500}"#)
    #expect(await changes.next()?.currentHeadroom == 2)
    #expect(throws: DisplayError.self) { try DisplayMonitor(.file(path: path + ".missing")) }
  }
}
