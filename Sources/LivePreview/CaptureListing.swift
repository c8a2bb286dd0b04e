internal import Capture
internal import Foundation
internal import Frames
internal import Sessions

/// The capture devices of this machine and their capabilities.
package struct CaptureListing {
  /// A device, or why it cannot be queried.
  private enum Entry {
    case device(CaptureDeviceReport, choice: String?)
    case failed(path: String, reason: String)
  }

  private let entries: [Entry]

  /// Maximum number of rates listed per size.
  private static let mostRates = 8

  /// - Parameter folder: The kernel's device folder.
  package init(in folder: String = CaptureDevice.defaultFolder) {
    entries = CaptureDevice.paths(in: folder).compactMap { path in
      do throws(CaptureError) {
        let device = try CaptureDevice(path)
        return .device(device.report, choice: try? device.choose().mode.description)
      } catch {
        // Metadata, radio and output devices are not broken cameras.
        if case .isNoCaptureDevice = error { return nil }
        return .failed(path: path, reason: error.description)
      }
    }
  }

  /// The machine has no device.
  package var isEmpty: Bool { entries.isEmpty }

  package var text: String { entries.map(Self.text).joined(separator: "\n\n") }

  private static func text(_ entry: Entry) -> String {
    switch entry {
    case .failed(let path, let reason): return "\(path)\n  \(reason)"
    case .device(let report, let choice):
      var lines = ["\(report.path)  \(report.name) (\(report.driver), \(report.bus))"]
      if let signal = report.signal { lines.append("  signal   \(words(signal))") }
      if let choice { lines.append("  default  \(choice)") }
      lines += report.inputs.map { input in
        "  input \(input.number)  \(input.name)" + (input.isSelected ? ", selected" : "")
          + (input.loss.map { ", \($0)" } ?? "")
      }
      lines += report.formats.flatMap(Self.lines)
      lines += report.controls.map { "  control  \(words($0))" }
      return lines.joined(separator: "\n")
    }
  }

  private static func words(_ signal: CaptureSignal) -> String {
    switch signal {
    case .present(let size, let rate): "\(size)" + (rate.map { " at \($0.value.words(decimals: 2))" } ?? "")
    case .absent(let loss): loss.description
    }
  }

  private static func lines(_ format: CaptureDeviceReport.Format) -> [String] {
    let head = "  \(format.code.text)  \(format.name)" + (format.isReadable ? "" : " (cannot be read)")
    return [head]
      + format.sizes.map { extent in
        let rates = extent.rates.prefix(mostRates).map { $0.value.words(decimals: 2) }
        let more = extent.rates.count > mostRates ? ", ..." : ""
        return "    \(extent.size)" + (rates.isEmpty ? "" : "  \(rates.joined(separator: ", "))\(more) fps")
      }
  }

  private static func words(_ control: CaptureControl) -> String {
    // Other kinds are set or not, but have no number.
    guard [.integer, .boolean, .menu, .bitmask].contains(control.kind) else { return control.name }
    let range = control.items.isEmpty ? "\(control.minimum) to \(control.maximum)" : names(control.items)
    return "\(control.name): " + (control.value.map { "\($0), " } ?? "") + range
  }

  private static func names(_ items: [CaptureControl.Item]) -> String {
    items.map { "\($0.value) \($0.name)" }.joined(separator: ", ")
  }

  package func json() throws -> String {
    let devices: [[String: Any]] = try entries.map { entry in
      switch entry {
      case .failed(let path, let reason): return ["path": path, "error": reason]
      case .device(let report, let choice):
        let data = try JSONEncoder().encode(report)
        var object = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
        object["default"] = choice
        return object
      }
    }
    return try JSON.text(["devices": devices])
  }
}
