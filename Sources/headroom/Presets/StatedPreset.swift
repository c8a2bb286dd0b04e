internal import ArgumentParser
internal import FFmpegIO
internal import Sessions

/// A preset as the options that it stands for.
struct StatedPreset {
  let preset: TranscodePreset
  /// As a user would write them.
  let words: [String]

  /// - Throws: `CommandFailure` if there is no such preset, or it cannot be used.
  init(named name: String) throws(CommandFailure) {
    guard let entry = PresetStore.entry(named: name) else {
      throw CommandFailure(PresetError.wordsForNone(named: name), .usage)
    }
    try self.init(entry)
  }

  /// - Throws: `CommandFailure` if it cannot be used, or options cannot say all of it.
  init(_ entry: PresetStore.Entry) throws(CommandFailure) {
    let name = entry.path ?? entry.name
    do { preset = try entry.preset.get() } catch { throw error.failure(ofPreset: name) }
    words = RequestArguments.words(for: preset.request)
    var stated: TranscodeRequest
    do {
      // Options of a run without a name for its output would be refused.
      stated = try RequestArguments.request(parsing: words + ["-o", "-"], input: preset.request.input.name)
      stated.output = nil
    } catch { throw PresetError.failure(ofPreset: name, TranscodeOptions.message(for: error)) }
    if let key = preset.firstKey(differingIn: stated) {
      throw PresetError.failure(ofPreset: name, PresetError.wordsForUnstated(key))
    }
  }

  /// Whether what an option is for stays as the preset says.
  private func keeps(_ owner: RequestArgument.Owner, beside own: [String]) -> Bool {
    switch owner {
    case .videoEncoder:
      guard let other = Self.value(["-c:v"], in: own), let mine = preset.request.coding.encoder else { return true }
      return Encoders.named(other) == Encoders.named(mine)
    case .lossyAudio:
      guard let other = Self.value(["-c:a"], in: own) else { return true }
      return other != "copy" && !Encoders.isLossless(Encoders.namedAudio(other))
    case .encodedAudio: return Self.value(["-c:a"], in: own) != "copy"
    }
  }

  /// The suffix of a name chooses the container, rather than a preset that was made for other names.
  private static func namesContainer(_ own: [String]) -> Bool {
    guard let name = value(["-o", "--output"], in: own), !name.hasSuffix("/") else { return false }
    return (try? MediaWriter.formatName(url: name)) != nil && name != "-"
  }

  /// The value of an option, the last one if it is repeated.
  private static func value(_ names: [String], in words: [String]) -> String? {
    for (index, word) in words.enumerated().reversed() {
      if names.contains(word) { return index + 1 < words.count ? words[index + 1] : nil }
      if let name = names.first(where: { word.hasPrefix($0 + "=") }) { return String(word.dropFirst(name.count + 1)) }
    }
    return nil
  }

  /// What the user says as options of the encoder.
  private static func saidByOptions(_ own: [String]) -> [String] {
    let lists = ["--encoder-options", "-x264-params", "-x265-params", "-svtav1-params"].compactMap {
      value([$0], in: own)
    }
    return lists.flatMap { OptionList(argument: $0)?.options.flatMap(\.replaced).map(\.flag) ?? [] }
  }

  /// The options that remain where the user states some: what the user states is not merged, but replaces them.
  func words(beside own: some Sequence<String>) -> [String] {
    let stated = Set(own.compactMap { $0.split(separator: "=", maxSplits: 1).first.map(String.init) })
    let entries = RequestArguments.entries
    let groups = Set(entries.filter { !stated.isDisjoint(with: $0.names) }.compactMap(\.group))
    let words = Array(own)
    let said = stated.union(Self.saidByOptions(words))
    let remaining = entries.filter { entry in
      said.isDisjoint(with: entry.names) && entry.group.map { !groups.contains($0) } ?? true
        && entry.replacement.map { !stated.contains($0) } ?? true
        && entry.owner.map { keeps($0, beside: words) } ?? true
        && (entry.names != ["-f"] || !Self.namesContainer(words))
    }
    return remaining.flatMap { $0.words(preset.request) }
  }
}
