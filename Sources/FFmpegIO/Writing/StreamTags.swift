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

/// The tags that FFmpeg's muxer writes into MP4 and QuickTime files in standard form. Others are written as free-form
/// items in MP4, and as Apple metadata keys in QuickTime files.
enum ISOTags {
  // The keys that FFmpeg's muxer writes into `ilst` and `udta`, and those that it generates.
  private static let common: Set<String> = [
    "title", "artist", "album_artist", "composer", "album", "date", "encoding_tool", "comment", "genre", "copyright",
    "grouping", "lyrics", "description", "synopsis", "show", "episode_id", "network", "keywords", "episode_sort",
    "season_number", "media_type", "hd_video", "gapless_playback", "compilation", "track", "disc", "tmpo", "location",
    "creation_time", "encoder", "timecode", "major_brand", "minor_version", "compatible_brands",
  ]

  static func areCommon(_ key: String) -> Bool { common.contains(key.lowercased()) }
}

/// Language codes of QuickTime files, as FFmpeg 5.1 writes them.
enum QuickTimeLanguage {
  /// Codes missing from QuickTime's table, and the table's code for the same language: it has either the bibliographic
  /// or the terminological code. Swedish is misspelled in FFmpeg's copy of the table. Sources: ISO 639-2, synonyms;
  /// QuickTime File Format Specification, "Language Code Values".
  private static let synonyms = [
    "cze": "ces", "nld": "dut", "fre": "fra", "deu": "ger", "ell": "gre", "isl": "ice", "mkd": "mac", "hye": "arm",
    "kat": "geo", "eus": "baq", "mya": "bur", "zho": "chi", "sqi": "alb", "msa": "may", "fas": "per", "rum": "ron",
    "slo": "slk", "bod": "tib", "cym": "wel", "swe": "sve",
  ]

  /// The code that is written for a language.
  static func code(_ language: String) -> String { synonyms[language] ?? language }
}
