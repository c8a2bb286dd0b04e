internal import Capture
internal import Displays
package import FFmpegIO
internal import Foundation
internal import ImageFiles
internal import Frames
internal import Rendering

/// Capabilities of this machine that the program uses.
package struct DoctorReport {
  /// The result of one check.
  package struct Finding {
    package enum State: String {
      case found
      /// Needed for some tasks.
      case absent
      /// Needed for most tasks.
      case missing
    }

    /// The section of the report it belongs to.
    var section: String
    package var name: String
    package var state: State
    package var detail: String
    /// A command that installs it.
    var remedy: String?
  }

  package let findings: [Finding]

  /// - Parameters:
  ///   - devices: The kernel's device folder.
  ///   - log: The kernel's log.
  ///   - root: A folder laid out like `/sys`.
  package init(
    devices: String = CaptureDevice.defaultFolder, log: String = KernelLog.defaultPath,
    root: String = ConnectedDisplay.systemRoot, system: HardwareEncoder.System = .init()
  ) {
    findings =
      Self.machine() + Self.libraries() + Self.decoders() + Self.encoders() + Self.hardwareEncoders(system)
      + Self.pictures()
      + Self.captureDevices(devices, log: log) + Self.displays(root) + Self.programs()
  }

  private static func machine() -> [Finding] {
    let cores = ProcessInfo.processInfo.activeProcessorCount
    let memory = String(format: "%.1f GiB", Double(ProcessInfo.processInfo.physicalMemory) / 0x1p30)
    let tiers = KernelTier.allCases.filter { $0 <= .detected }.map(\.rawValue).joined(separator: ", ")
    return [
      Finding(
        section: "machine", name: "processor", state: .found, detail: "\(processorName), \(cores.counting("thread"))"),
      Finding(section: "machine", name: "memory", state: .found, detail: memory),
      Finding(
        section: "machine", name: "kernels", state: .found, detail: "\(KernelTier.detected.rawValue) (runs \(tiers))"),
    ]
  }

  private static var processorName: String {
    let lines = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8))?.split(separator: "\n") ?? []
    let name = lines.first { $0.hasPrefix("model name") }?.split(separator: ":", maxSplits: 1).last
    return name.map { $0.trimmingCharacters(in: .whitespaces) } ?? "unknown"
  }

  private static func libraries() -> [Finding] {
    [Finding(section: "ffmpeg", name: "libraries", state: .found, detail: FFmpegVersion.libraries)]
  }

  /// The codecs of HDR video; without the first three most of it cannot be read.
  private static func decoders() -> [Finding] {
    [("hevc", true), ("h264", true), ("av1", true), ("vp9", false), ("prores", false), ("jpeg2000", false)].map {
      codec, isDefault in
      let decoder = Decoders.decoder(for: codec)
      return Finding(
        section: "decoders", name: codec, state: decoder != nil ? .found : isDefault ? .missing : .absent,
        detail: decoder ?? "none", remedy: decoder == nil ? "apt-get install libavcodec59" : nil)
    }
  }

  private static func encoders() -> [Finding] {
    [
      ("libx264", true), ("libx265", true), ("libsvtav1", false), ("libaom-av1", false), ("libvpx-vp9", false),
      ("prores_ks", false), ("ffv1", false),
    ].map { name, isDefault in
      let layouts = Encoders.available[name]
      let depths = Set((layouts ?? []).map(\.bitDepth)).sorted().map(String.init).joined(separator: ", ")
      return Finding(
        section: "encoders", name: name, state: layouts != nil ? .found : isDefault ? .missing : .absent,
        detail: layouts == nil ? "none" : depths + " bit", remedy: layouts == nil ? "apt-get install libavcodec59" : nil
      )
    }
  }

  /// Checks the encoders of GPUs, and what each one lacks.
  private static func hardwareEncoders(_ system: HardwareEncoder.System) -> [Finding] {
    HardwareEncoder.all.map { encoder in
      let depths = encoder.layouts.map { "\($0.bitDepth)" }.joined(separator: ", ")
      let missing = encoder.missing(on: system).map(\.description)
      return Finding(
        section: "hardware encoders", name: encoder.name, state: missing.isEmpty ? .found : .absent,
        detail: missing.isEmpty ? depths + " bit" : missing.joined(separator: "; "))
    }
  }

  private static func pictures() -> [Finding] {
    let formats = ImageFormat.allCases.map(\.rawValue).joined(separator: ", ")
    return [Finding(section: "pictures", name: "dump", state: .found, detail: formats)]
  }

  private static func captureDevices(_ folder: String, log: String) -> [Finding] {
    func finding(_ name: String, _ state: Finding.State, _ detail: String) -> Finding {
      Finding(section: "capture", name: name, state: state, detail: detail)
    }
    var findings = CaptureDevice.paths(in: folder).map { path in
      do throws(CaptureError) {
        let device = try CaptureDevice(path)
        let choice = try device.choose()
        return finding(path, .found, "\(device.name) (\(device.bus)): \(choice.mode)")
      } catch {
        return finding(path, .absent, error.description)
      }
    }
    if findings.isEmpty { findings = [finding("devices", .absent, "none")] }
    let unknown = KernelLog.unknownFormats(in: log).map(\.text)
    if !unknown.isEmpty {
      findings.append(
        finding(
          "uvcvideo", .absent,
          "this kernel does not know \(unknown.joined(separator: ", ")) of a USB device, so it does not offer that"))
    }
    return findings
  }

  private static func displays(_ root: String) -> [Finding] {
    let connected = DisplayReport.Entry.connected(root: root)
    if connected.isEmpty { return [Finding(section: "displays", name: "displays", state: .absent, detail: "none")] }
    return connected.map { entry in
      let name = entry.status?.model.name
      return Finding(
        section: "displays", name: entry.name, state: name == nil ? .absent : .found,
        detail: name ?? entry.fault?.description ?? "unknown")
    }
  }

  /// Checks programs that read Y4M from a pipe or analyse the result.
  private static func programs() -> [Finding] {
    [("ffmpeg", "ffmpeg"), ("mpv", "mpv"), ("x265", "x265"), ("SvtAv1EncApp", "svt-av1"), ("v4l2-ctl", "v4l-utils")]
      .map { name, package in
        let folders = ProcessInfo.processInfo.environment["PATH", default: ""].split(separator: ":")
        let path = folders.map { "\($0)/\(name)" }.first(where: FileManager.default.isExecutableFile)
        return Finding(
          section: "programs", name: name, state: path == nil ? .absent : .found, detail: path ?? "none",
          remedy: path == nil ? "apt-get install \(package)" : nil)
      }
  }

  package var text: String {
    let width = findings.map(\.name.count).max() ?? 0
    var lines: [String] = []
    var section = ""
    for finding in findings {
      if finding.section != section { lines += (lines.isEmpty ? [] : [""]) + [finding.section] }
      section = finding.section
      let name = finding.name.padding(toLength: width, withPad: " ", startingAt: 0)
      let note = finding.state == .missing ? "MISSING" : finding.detail
      lines.append("  \(name)  \(note)" + (finding.remedy.map { "  (\($0))" } ?? ""))
    }
    return lines.joined(separator: "\n")
  }

  package func json() throws -> String {
    let object = findings.map { finding in
      var entry = [
        "section": finding.section, "name": finding.name, "state": finding.state.rawValue, "detail": finding.detail,
      ]
      entry["remedy"] = finding.remedy
      return entry
    }
    return try JSON.text(["findings": object])
  }
}
