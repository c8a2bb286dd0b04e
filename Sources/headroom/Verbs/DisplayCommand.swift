internal import ArgumentParser
internal import Displays
internal import Files
internal import Foundation
internal import Sessions

/// `headroom display [NAME]`
struct DisplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "display",
    abstract: "Show displays: what they can do, their headroom now, and reference mode.")

  @Argument(help: "Presets, connectors, or files: JSON or an EDID (all that are connected).")
  var names: [String] = []

  @Flag(help: "List the presets.")
  var presets = false

  @Flag(help: "JSON instead of text.")
  var json = false

  @Flag(help: "Go on, and print a display again whenever it changes.")
  var watch = false

  @Option(
    help: ArgumentHelp(
      "Fine-tune the white of a connected display from now on: measured=x,y[,nits][:target=x,y[,nits]] (target: D65).",
      valueName: "white"))
  var whitePoint: WhitePointArgument?

  @Flag(help: "Forget what fine-tunes the white of a connected display.")
  var resetWhitePoint = false

  @Option(help: ArgumentHelp("Folder to look for devices in, shaped like /sys.", valueName: "folder"))
  var sysfs = ConnectedDisplay.systemRoot

  func validate() throws {
    if presets, watch || !names.isEmpty {
      throw ValidationError("--presets lists all presets: drop the names, and --watch.")
    }
    let changes = (whitePoint == nil ? 0 : 1) + (resetWhitePoint ? 1 : 0)
    if changes > 1 || changes == 1 && names.count != 1 {
      throw ValidationError("--white-point or --reset-white-point is for one display: name it.")
    }
  }

  func run() throws {
    try failing {
      if let name = names.first, whitePoint != nil || resetWhitePoint {
        try ConnectedDisplay.setWhitePoint(whitePoint?.adaptation, of: name, root: sysfs)
      }
      guard FileStatus(sysfs)?.kind == .folder else { throw CommandFailure("There is no folder '\(sysfs)'.", .usage) }
      if presets { return try print(DisplayModel.presets.map { DisplayReport.Entry($0.name, DisplayStatus($0)) }) }
      let connected = ConnectedDisplay.all(root: sysfs)
      let entries =
        try names.isEmpty ? connected.map { DisplayReport.Entry($0) } : names.map { try entry($0, connected) }
      if entries.isEmpty {
        Console.note("No display is connected here. --presets lists displays to render for.")
      }
      try print(entries)
      // Of all displays some may be faulty; a named one is what the user wants to know about.
      if !names.isEmpty, let faulty = entries.first(where: { $0.status == nil }) {
        throw CommandFailure(faulty.fault?.description ?? "Nothing is known of '\(faulty.source)'.")
      }
      if watch { try follow(entries.filter { $0.status != nil }) }
    }
  }

  private func entry(_ name: String, _ connected: [ConnectedDisplay]) throws -> DisplayReport.Entry {
    if let display = connected.first(where: { $0.isNamed(name) }) { return DisplayReport.Entry(display) }
    return DisplayReport.Entry(name, try DisplayStatus(named: name, root: sysfs))
  }

  private func print(_ entries: [DisplayReport.Entry]) throws {
    let report = DisplayReport(entries)
    try Console.result(json ? report.json() : report.text, ends: json ? "\n" : "")
  }

  /// Ends with a signal.
  private func follow(_ entries: [DisplayReport.Entry]) throws {
    let monitors = try entries.compactMap { entry in
      try DisplayMonitor.Source(entry.source, root: sysfs).map { (entry, try DisplayMonitor($0)) }
    }
    guard !monitors.isEmpty else { throw CommandFailure("--watch needs a connected display, or a file.", .usage) }
    var last = monitors.map { $0.0.status }
    var faults = [DisplayError?](repeating: nil, count: monitors.count)
    while true {
      for (index, (var entry, monitor)) in monitors.enumerated() {
        if let fault = monitor.fault, fault != faults[index] { Console.warning("\(fault)") }
        faults[index] = monitor.fault
        if monitor.status == last[index] { continue }
        last[index] = monitor.status
        entry.status = monitor.status
        try print([entry])
      }
      Thread.sleep(forTimeInterval: 0.05)
    }
  }
}
