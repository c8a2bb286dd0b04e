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
