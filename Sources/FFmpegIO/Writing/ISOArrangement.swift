/// Arrangement of the boxes of an MP4 or QuickTime file.
struct ISOArrangement {
  /// Whether the file consists of fragments with separate indices.
  let isFragmented: Bool
  /// Whether the index precedes the pictures, so that a player on a network need not fetch the end first. The file is
  /// rewritten when it is finished.
  let beginsWithIndex: Bool

  /// Values of `movflags` that create fragments, in FFmpeg 5.1 and later.
  private static let fragmenting: Set = [
    "frag_keyframe", "frag_custom", "frag_every_frame", "empty_moov", "dash", "cmaf", "isml", "hybrid_fragmented",
  ]
  /// Options that create fragments.
  private static let lengths: Set = ["frag_duration", "frag_size"]

  /// - Parameters:
  ///   - options: The requested options.
  ///   - format: FFmpeg's name of the container.
  ///   - isFile: It can be rewritten, unlike a pipe.
  init(_ options: [(String, String)], format: String, isFile: Bool) {
    let flags = options.filter { $0.0 == "movflags" }.flatMap { Self.flags($0.1) }
    let isAsked = { (name: String) in flags.last { $0.name == name }?.isSet }
    isFragmented =
      ContainerTraits.of(format).isFragmented || Self.fragmenting.contains { isAsked($0) == true }
      || options.contains { Self.lengths.contains($0.0) && $0.1 != "0" }
    // Flags without a sign replace others.
    let isReplaced = flags.contains { !$0.isSigned }
    beginsWithIndex = isFile && !isFragmented && (isAsked("faststart") ?? !isReplaced)
  }

  /// The names in "+a-b" or "a+b".
  private static func flags(_ text: String) -> [(name: String, isSet: Bool, isSigned: Bool)] {
    var result: [(name: String, isSet: Bool, isSigned: Bool)] = []
    var rest = Substring(text)
    while let first = rest.first {
      let isSigned = first == "+" || first == "-"
      if isSigned { rest.removeFirst() }
      let name = rest.prefix { $0 != "+" && $0 != "-" }
      result.append((String(name), isSet: first != "-", isSigned: isSigned || !result.isEmpty))
      rest = rest.dropFirst(name.count)
    }
    return result
  }
}
