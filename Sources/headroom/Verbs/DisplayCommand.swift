internal import ArgumentParser
internal import Displays
internal import Files
internal import Foundation
internal import Sessions

/// `headroom display [NAME]`
struct DisplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "display",
    abstract: "Show displays: capabilities, current headroom, and reference mode.")

  @Argument(help: "Presets, connectors, or files: JSON or an EDID (all connected displays).")
  var names: [String] = []

  @Flag(help: "List the presets.")
  var list = false

  @Flag(help: "JSON instead of text.")
  var json = false

  @Flag(help: "Keep running, and print a display whenever it changes.")
  var watch = false

  @Option(
    help: ArgumentHelp(
      "Correct a connected display's white point from now on: measured=x,y[,nits][:target=x,y[,nits]] (target: D65).",
      valueName: "white"), transform: WhitePointAdaptation.init(parsing:))
  var whitePoint: WhitePointAdaptation?

  @Flag(help: "Remove the white-point correction of a connected display.")
  var resetWhitePoint = false

  @Option(help: ArgumentHelp("Folder to look for devices in, structured like /sys.", valueName: "folder"))
  var sysfs = ConnectedDisplay.systemRoot

  func validate() throws {
    if list, watch || !names.isEmpty {
      throw ValidationError("--list lists all presets: drop the names, and --watch.")
    }
    if whitePoint != nil, resetWhitePoint {
      throw ValidationError("--white-point and --reset-white-point are mutually exclusive.")
    }
    if whitePoint != nil || resetWhitePoint, names.count != 1 {
      throw ValidationError("--white-point or --reset-white-point is for one display: name it.")
    }
  }

  func run() throws {
    try failing {
      guard FileStatus(sysfs)?.kind == .folder else { throw CommandFailure("There is no folder '\(sysfs)'.", .usage) }
      if list { return try print(DisplayModel.presets.map { DisplayReport.Entry($0) }) }
      if let name = names.first, whitePoint != nil || resetWhitePoint {
        try ConnectedDisplay.setWhitePoint(whitePoint, of: name, root: sysfs)
      }
      let sources = try names.map { try DisplaySource(named: $0, root: sysfs) }
      let entries = names.isEmpty ? DisplayReport.Entry.connected(root: sysfs) : sources.map { DisplayReport.Entry($0) }
      if entries.isEmpty {
        Console.note("No display is connected here. --list lists displays to render for.")
      }
      try print(entries)
      if watch {
        guard sources.contains(where: \.canChange) || names.isEmpty else {
          throw CommandFailure("--watch needs a connected display, or a file.", .usage)
        }
        try follow(entries)
      }
      // When listing all displays, some may be faulty; for a named one, the fault is an error.
      if !names.isEmpty, let fault = entries.lazy.compactMap(\.fault).first { throw fault }
    }
  }

  private func print(_ entries: [DisplayReport.Entry]) throws {
    let report = DisplayReport(entries)
    let text = try json ? watch ? report.line() : report.json() : report.text
    try Console.result(text, ends: json ? "\n" : "")
  }

  /// Runs until a signal.
  private func follow(_ entries: [DisplayReport.Entry]) throws {
    let watch = DisplayWatch(entries, connectedTo: names.isEmpty ? sysfs : nil)
    while true {
      for entry in try watch.changes() { try print([entry]) }
      Thread.sleep(forTimeInterval: 0.05)
    }
  }
}
