internal import Files
internal import Foundation

/// The presets that there are: those in the user's folder, and the built-in ones.
public enum PresetStore {
  /// Where the user's presets are: `headroom/presets` in `$XDG_CONFIG_HOME`, or in `~/.config`.
  ///
  /// Source: XDG Base Directory Specification 0.8.
  public static let folder: String = {
    let environment = ProcessInfo.processInfo.environment
    let configuration = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    let home = environment["HOME"] ?? FileManager.default.homeDirectoryForCurrentUser.path
    return (configuration ?? home + "/.config") + "/headroom/presets"
  }()

  /// How the names of preset files end.
  public static let suffix = ".json"
  /// A preset has a few lines.
  private static let largestFile = 1 << 20

  /// A preset, and where it comes from.
  public struct Entry: Sendable {
    /// What users call it.
    public let name: String
    /// Its file; nil: it is built in.
    public let path: String?
    /// The preset, or why it cannot be used.
    public let preset: Result<TranscodePreset, PresetError>

    fileprivate init(file path: String) {
      let file = FileLocation(path).name
      let name = file.hasSuffix(suffix) ? String(file.dropLast(suffix.count)) : file
      (self.name, self.path) = (name, path)
      preset = Result { () throws(PresetError) in
        let bytes: [UInt8]
        do { bytes = try SmallFile.bytes(of: path, upTo: largestFile) } catch {
          throw .isUnreadable(reason: "\(error)")
        }
        return try TranscodePreset(name: name, json: Data(bytes))
      }
    }

    fileprivate init(builtIn preset: TranscodePreset) {
      (name, path, self.preset) = (preset.name, nil, .success(preset))
    }
  }

  /// All presets, those of the user first. A user's preset takes the place of a built-in one of the same name.
  public static var all: [Entry] {
    let files = (FileLocation.names(in: folder) ?? []).filter { $0.hasSuffix(suffix) && !$0.hasPrefix(".") }.sorted()
    let own = files.map { Entry(file: folder + "/" + $0) }
    let names = Set(own.map(\.name))
    return own + TranscodePreset.builtIn.filter { !names.contains($0.name) }.map(Entry.init(builtIn:))
  }

  /// The preset of a file, or of a bare name; nil if none has this name.
  public static func entry(named name: String) -> Entry? {
    if name.contains("/") || name.hasSuffix(suffix) { return Entry(file: name) }
    let path = folder + "/" + name + suffix
    if FileStatus(path) != nil { return Entry(file: path) }
    return TranscodePreset.builtIn.first { $0.name == name }.map(Entry.init(builtIn:))
  }
}
