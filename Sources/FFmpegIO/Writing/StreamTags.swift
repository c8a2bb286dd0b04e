/// Tags that are about the packets of a stream rather than about what they show.
public enum StreamTags {
  /// Counts, as mkvmerge writes them; a source's need not be right. Source: RFC 9559, 6.
  private static let counts: Set = ["bps", "duration", "number_of_bytes", "number_of_frames"]

  /// Whether a tag counts packets: it is not copied, because a selection or another container has others.
  /// - Parameter key: Its language may follow, as in "BPS-eng".
  public static func counts(_ key: String) -> Bool {
    let name = key.lowercased()
    return counts.contains(String(name.prefix { $0 != "-" })) || name.hasPrefix("_statistics_")
  }

  /// Whether a tag names the encoder of a stream, or its settings: another encoder makes it wrong.
  public static func namesEncoder(_ key: String) -> Bool { key.lowercased().hasPrefix("encoder") }
}

extension [String: String] {
  /// The tags of a stream as a container, by FFmpeg's name, keeps them.
  /// - Parameter isEncoded: The stream has another encoder.
  func kept(in format: String?, isEncoded: Bool = false) -> [String: String] {
    var tags = filter { key, _ in !StreamTags.counts(key) && !(isEncoded && StreamTags.namesEncoder(key)) }
    if ContainerTraits.of(format).hasQuickTimeLanguages {
      tags["language"] = tags["language"].map(QuickTimeLanguage.code)
    }
    return tags
  }
}
