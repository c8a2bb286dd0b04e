internal import Sessions

extension FilmDiagnostic {
  var words: String {
    switch self {
    case .cannotBeDivided(let name, let obstacle): "'\(name)' cannot be rendered in pieces: \(obstacle.words)"
    case .cannotRead(let name, let reason): "Cannot read '\(name)': \(reason)."
    case .readsPackets(let name): "Reading the packets of '\(name)' to find its frames."
    case .followsShots(let name): "Decoding '\(name)' once, because its dynamic metadata runs over frames."
    case .isPlanned(let folder): "'\(folder)' has this plan already."
    case .holdsAnotherPlan(let folder):
      "'\(folder)' has another plan: choose another --work, or replace it with --overwrite, which rejects its pieces."
    case .hasNoPlan(let folder):
      "'\(folder)' has no plan: make one with headroom plan INPUT -o OUTPUT --work DIR."
    case .isNoFolder(let folder):
      "There is no folder '\(folder)': make a plan with headroom plan INPUT -o OUTPUT --work DIR."
    case .cannotBeFolder(let folder):
      "'\(folder)' cannot be a work folder: it is a file, or the folder that it is to be in does not exist."
    case .folderHasOthers(let folder, let name):
      "'\(folder)' is not a work folder, it has other files such as '\(name)': name an empty or new folder with --work."
    case .isNoPlan(let folder):
      "The plan in '\(folder)' is damaged, was changed, or is of another version: make a new one with headroom plan."
    case .isOfOtherVersion(let folder, let tool, let planned, let own):
      "The plan in '\(folder)' is for \(tool) \(planned), and this is \(own): other versions may code other pictures. Use "
        + "the same version on all machines, make a new plan, or accept it with --allow-mixed."
    case .mixesVersions(let tool, let planned, let own):
      "The plan is for \(tool) \(planned), and this is \(own): the film may look different where pieces meet."
    case .mayDifferWhereDamaged(let name, let packets):
      "'\(name)' has \(packets.counting("damaged packet")): frames near them may differ from those of a single run, because "
        + "a decoder conceals damage with the pictures that it has."
    case .inputChanged(let name, let change):
      "'\(name)' has changed since the plan was made: \(change.words) Make a new plan."
    case .hasNoChunk(let number, let count):
      count == 1
        ? "The plan has one piece, 0, and no piece \(number)." : "The plan has pieces 0 to \(count - 1), not \(number)."
    case .isRendered(let number): "Piece \(number) is rendered already."
    case .isAwaited(let claimed):
      "Waiting for \(claimed.isEmpty ? "other machines" : claimed.prefix(5).map { "piece \($0.number) on \($0.host)" }.joined(separator: ", "))."
    case .nothingIsFree(let folder): "Other machines are rendering the rest of '\(folder)': nothing is free right now."
    case .renders(let number, let count, let from, let to):
      "Rendering piece \(number) (\(number + 1) of \(count)), from \(from.clock) to \(to.map(\.clock) ?? "the end")."
    case .rendered(let number, let frames, let seconds):
      "Piece \(number) is complete: \(frames.counting("frame")) in \(seconds.words(decimals: 1)) s."
    case .isRejected(let number, let fault): "Piece \(number) is rejected: \(fault.words)"
    case .isFaulty(let number, let fault): "Piece \(number) failed verification: \(fault.words) It was discarded."
    case .isIncomplete(let folder, let missing, let rejected): Self.isIncomplete(folder, missing, rejected)
    case .hasFailed(let folder, let numbers, let lastWords):
      "\(Self.pieces(numbers)) of '\(folder)' failed as often as --max-tries allows"
        + (lastWords.map { ": \($0)" } ?? ".") + " Try once more with \(Self.chunk(folder, "\(numbers[0])"))."
    case .isAssembled(let output): "'\(output)' is complete already."
    case .isCancelled(let folder, let number):
      "'\(folder)' was cancelled: piece \(number) was dropped. \(Self.chunk(folder, "--all")) goes on."
    case .isReplaced(let folder):
      "'\(folder)' was given a new plan: what was being rendered for the old one was dropped. \(Self.chunk(folder, "--all")) renders the new one."
    case .pieceFailed(let number, let reason): "Piece \(number) failed: \(reason)"
    case .isStopped(let folder, let number): "Piece \(number) was dropped. \(Self.chunk(folder, "--all")) goes on."
    case .isOfOtherFormat(let output, let format):
      "'\(output)' has a different container from the plan's (\(format)): choose a name with the same suffix."
    case .submitted(let jobs, let chunks):
      jobs.isEmpty
        ? "All pieces are in the queue already."
        : "Submitted \(chunks.counting("piece")), in the jobs \(jobs.joined(separator: ", "))."
    case .joins(let count, let output): "Joining \(count.counting("piece")) to '\(output)'."
    }
  }

  private static func isIncomplete(_ folder: String, _ missing: [Int], _ rejected: [Rejection]) -> String {
    var sentences: [String] = []
    if !missing.isEmpty {
      sentences.append("\(pieces(missing)) of '\(folder)' \(missing.count == 1 ? "is" : "are") not rendered yet.")
    }
    for each in rejected.prefix(3) { sentences.append("Piece \(each.number) failed verification: \(each.fault.words)") }
    if rejected.count > 3 {
      sentences.append("The same goes for \(pieces(rejected.dropFirst(3).map(\.number)).lowercased()).")
    }
    let all = missing + rejected.map(\.number)
    sentences.append(
      "Render \(all.count == 1 ? "it" : "them") with \(chunk(folder, all.count == 1 ? "\(all[0])" : "--all")), or wait for other "
        + "machines with --follow.")
    return sentences.joined(separator: " ")
  }

  /// A command that can be pasted.
  private static func chunk(_ folder: String, _ argument: String) -> String {
    let isPlain = folder.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || "/._-+=:,@".utf8.contains(byte)
    }
    let word = isPlain ? folder : "'" + folder.replacing("'", with: "'\\''") + "'"
    return "headroom chunk \(word) \(argument)"
  }

  /// "Pieces 3, 7 to 9"
  private static func pieces(_ numbers: [Int]) -> String {
    let numbers = numbers.sorted()
    var spans: [ClosedRange<Int>] = []
    for number in numbers {
      if let last = spans.last, last.upperBound + 1 == number {
        spans[spans.count - 1] = last.lowerBound...number
      } else {
        spans.append(number...number)
      }
    }
    let words = spans.prefix(20).map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound) to \($0.upperBound)" }
    let more = spans.count > 20 ? ", ..." : ""
    return (numbers.count == 1 ? "Piece " : "Pieces ") + words.joined(separator: ", ") + more
  }
}

extension FilmObstacle {
  fileprivate var words: String {
    switch self {
    case .isStream: "it is a pipe, a device or an address, which cannot be read twice. Write it to a file first."
    case .isOfPictures: "it is made of pictures. Make a film of them first."
    case .writesStream: "the output is not a file. Name one with -o FILE."
    case .writesBeside(let parameter): "\(parameter.flag) is about a whole run. Omit it."
    case .followsDisplay: "--follow depends on when a frame is rendered. Omit it."
    case .countsFields:
      "--frames and --every count frames, and how many --deinterlace field makes is known once all are decoded. Use "
        + "--start and --duration, or headroom transcode."
    case .isSingleFrame: "--at selects one frame. Use headroom transcode."
    case .hasNoTimes(let packets):
      "\(packets) of its packets \(packets == 1 ? "has" : "have") no times. Put it into a container first: mkvmerge -o OUTPUT.mkv INPUT."
    case .seeksInexactly(let wanted, let found):
      "asked for the frame at \(wanted.words(decimals: 3)) s, it gives "
        + (found.map { "that at \($0.words(decimals: 3)) s" } ?? "none")
        + ". Copy it to another container first: ffmpeg -i INPUT -map 0 -c copy OUTPUT.mkv."
    case .keepsBitRate(let encoder, let option):
      option.map { "the option \($0) makes \(encoder) keep to a bit rate, which pieces cannot share. Use --crf." }
        ?? "\(encoder) keeps to a bit rate, which pieces cannot share. Use -c:v libx265, libx264 or libsvtav1 with --crf."
    case .sharesBits(let parameter):
      "\(parameter.flag) is about the whole film, and pieces do not know of each other. Use --crf."
    case .isNotHeld(let encoder): "what \(encoder) writes cannot be kept in pieces. Choose another encoder with -c:v."
    case .changesWithMetadata(let seconds):
      "its tags change at \(seconds.words(decimals: 3)) s, and its dynamic metadata is used. Use --dynamic-metadata ignore."
    }
  }
}

extension InputFingerprint.Change {
  fileprivate var words: String {
    switch self {
    case .size(let then, let now): "it has \(now.counting("byte")), and had \(then)."
    case .modified(let seconds):
      "it was modified, by its time stamp \(abs(seconds).words(decimals: 0)) s \(seconds < 0 ? "earlier" : "later")."
    case .contents: "its contents differ."
    }
  }
}

extension PieceFault {
  var words: String {
    if case .version = self { return description + ". --allow-mixed accepts that." }
    return description + "."
  }
}

extension Double {
  /// "1:02:03.5"
  fileprivate var clock: String {
    let tenths = Int((Swift.max(self, 0) * 10).rounded())
    let (hours, minutes, seconds) = (tenths / 36_000, tenths / 600 % 60, tenths / 10 % 60)
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return (hours > 0 ? "\(hours):\(two(minutes))" : "\(minutes)") + ":\(two(seconds)).\(tenths % 10)"
  }
}
