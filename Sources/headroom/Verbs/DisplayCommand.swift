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
      guard FileStatus(sysfs)?.kind == .folder else { throw CommandFailure("There is no folder '\(sysfs)'.", .usage) }
      if presets { return try print(DisplayModel.presets.map { DisplayReport.Entry($0) }) }
      if let name = names.first, whitePoint != nil || resetWhitePoint {
        try ConnectedDisplay.setWhitePoint(whitePoint?.adaptation, of: name, root: sysfs)
      }
      let sources = try names.map { try DisplaySource(named: $0, root: sysfs) }
      let entries = names.isEmpty ? DisplayReport.Entry.connected(root: sysfs) : sources.map { DisplayReport.Entry($0) }
      if entries.isEmpty {
        Console.note("No display is connected here. --presets lists displays to render for.")
      }
      try print(entries)
      // Of all displays some may be faulty; a named one is what the user wants to know about.
      if !names.isEmpty, let fault = entries.lazy.compactMap(\.fault).first { throw fault }
      if watch { try follow(entries.filter { $0.status != nil }) }
    }
  }

  private func print(_ entries: [DisplayReport.Entry]) throws {
    let report = DisplayReport(entries)
    try Console.result(json ? report.json() : report.text, ends: json ? "\n" : "")
  }

  /// Ends with a signal.
  private func follow(_ entries: [DisplayReport.Entry]) throws {
    var shown = try entries.filter(\.source.canChange).map { ($0, try DisplayMonitor($0.source)) }
    guard !shown.isEmpty else { throw CommandFailure("--watch needs a connected display, or a file.", .usage) }
    while true {
      for (index, (entry, monitor)) in shown.enumerated() {
        if let fault = monitor.takeFault() { Console.warning("\(fault)") }
        let status = monitor.status
        guard status != entry.status else { continue }
        shown[index].0 = entry.showing(status)
        try print([shown[index].0])
      }
      Thread.sleep(forTimeInterval: 0.05)
    }
  }
}
