internal import Files
internal import Foundation
internal import Sessions

/// A preset and its origin.
struct PresetFile {
  /// The name.
  let name: String
  /// The file; nil: built in.
  let path: String?
  private let content: Result<String, CommandFailure>

  /// The folder of the user's presets: `headroom/presets` in `$XDG_CONFIG_HOME`, or in `~/.config`.
  ///
  /// Source: XDG Base Directory Specification 0.8.
  private static let folder: String = {
    let environment = ProcessInfo.processInfo.environment
    let configuration = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    let home = environment["HOME"] ?? FileManager.default.homeDirectoryForCurrentUser.path
    return (configuration ?? home + "/.config") + "/headroom/presets"
  }()

  /// The suffix of preset files.
  private static let suffix = ".conf"
  /// Maximum size of a preset file; presets have a few lines.
  private static let maxSize = 1 << 20

  private init(path: String) {
    let file = FileLocation(path).name
    (name, self.path) = (file.hasSuffix(Self.suffix) ? String(file.dropLast(Self.suffix.count)) : file, path)
    content = Result { () throws(CommandFailure) in
      do { return String(decoding: try SmallFile.bytes(of: path, upTo: Self.maxSize), as: UTF8.self) } catch {
        throw CommandFailure("The preset '\(path)' cannot be read: \(error).")
      }
    }
  }

  private init(builtIn name: String, _ text: String) { (self.name, path, content) = (name, nil, .success(text)) }

  /// All presets, the user's first. A user's preset overrides a built-in one of the same name.
  static var all: [PresetFile] {
    let files = (FileLocation.names(in: folder) ?? []).filter { $0.hasSuffix(suffix) && !$0.hasPrefix(".") }.sorted()
    let own = files.map { PresetFile(path: folder + "/" + $0) }
    return own + builtIn.filter { preset in !own.contains { $0.name == preset.name } }
  }

  /// Finds a preset by file or name.
  /// - Throws: `CommandFailure` if no preset has this name.
  init(named name: String) throws(CommandFailure) {
    let own = Self.folder + "/" + name + Self.suffix
    if name.contains("/") || name.hasSuffix(Self.suffix) || name.hasSuffix(".json") {
      self.init(path: name)
    } else if FileStatus(own) != nil {
      self.init(path: own)
    } else if let preset = Self.builtIn.first(where: { $0.name == name }) {
      self = preset
    } else {
      throw CommandFailure(
        "There is no preset '\(name)': use one of \(Self.all.map(\.name).joined(separator: ", ")), or a file that ends in "
          + "\(Self.suffix). Your own belong in '\(Self.folder)'.", .usage)
    }
  }

  /// - Throws: `CommandFailure` if the preset is unusable.
  func preset() throws(CommandFailure) -> Preset {
    let text = try content.get()
    do throws(Preset.Failure) { return try Preset(text) } catch {
      throw CommandFailure("The preset '\(path ?? name)' cannot be used: \(error.reason)", .usage)
    }
  }

  /// The built-in presets. Their values are explained in `docs/presets.md`.
  private static let builtIn = [
    PresetFile(
      builtIn: "archive-hdr10",
      """
      # HDR10 as it is, smaller: HEVC in 10 bits, transparent, with HDR10+ and all streams
      -c:v libx265
      --preset slow
      --crf 16
      --pixel-format yuv420p10le
      --to hdr10
      --hdr10plus copy
      """),
    PresetFile(
      builtIn: "master-prores",
      """
      # HDR10 for further work: ProRes 422 HQ, for MOV
      -c:v prores_ks
      --encoder-options profile=hq
      --pixel-format yuv422p10le
      --to hdr10
      -c:a pcm_s24le
      """),
    PresetFile(
      builtIn: "phone-sdr",
      """
      # SDR for phones and messages: H.264, 1280 wide, small, stereo
      -c:v libx264
      --preset medium
      --crf 23
      --to sdr
      --scale 1280x-2
      -c:a aac
      --audio-bitrate 160k
      --downmix stereo
      """),
    PresetFile(
      builtIn: "tv-sdr",
      """
      # SDR for televisions and players of any age: H.264, 1920 wide
      -c:v libx264
      --preset slow
      --crf 18
      --to sdr
      --scale 1920x-2
      """),
  ]
}
