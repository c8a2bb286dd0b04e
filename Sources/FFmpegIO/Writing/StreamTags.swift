/// Tags about the packets of a stream rather than its content.
public enum StreamTags {
  /// Counts, as mkvmerge writes them; a source's may be wrong. Source: RFC 9559, 6.
  private static let counts: Set = ["bps", "duration", "number_of_bytes", "number_of_frames"]

  /// Whether a tag counts packets; such tags are not copied, because a selection or another container changes them.
  /// - Parameter key: The name, which a language may follow, as in "BPS-eng".
  public static func counts(_ key: String) -> Bool {
    let name = key.lowercased()
    return counts.contains(String(name.prefix { $0 != "-" })) || name.hasPrefix("_statistics_")
  }

  /// Whether a tag names the encoder of a stream or its settings, which re-encoding invalidates.
  public static func namesEncoder(_ key: String) -> Bool { key.lowercased().hasPrefix("encoder") }
}

extension [String: String] {
  /// The tags of a stream that a container, by FFmpeg's name, keeps.
  /// - Parameter isEncoded: The stream is re-encoded.
  func kept(in format: String?, isEncoded: Bool = false) -> [String: String] {
    var tags = filter { key, _ in !StreamTags.counts(key) && !(isEncoded && StreamTags.namesEncoder(key)) }
    if ContainerTraits.of(format).hasQuickTimeLanguages {
      tags["language"] = tags["language"].map(QuickTimeLanguage.code)
    }
    return tags
  }
}
