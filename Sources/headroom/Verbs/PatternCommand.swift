internal import ArgumentParser
internal import FFmpegIO
internal import ImageFiles
internal import Media
internal import Patterns
internal import Sessions

/// `headroom pattern NAME -o FILE`
struct PatternCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pattern", abstract: "Create correctly tagged test patterns, as video or pictures.",
    discussion: """
      Parameters follow the name of a pattern, as in window=percent=10:nits=1000; --list lists all patterns, and \
      NAME --describe the parameters of one. HDR10 carries a mastering display, and MaxCLL and MaxFALL of the coded \
      pixels. Constant-quality encoders default to --crf 10, and x265's psychovisual tools are off unless \
      --encoder-options is given.
      """)

  @Argument(help: ArgumentHelp("Pattern, with parameters: NAME or NAME=k=v:k=v.", valueName: "name"))
  var name: String?

  @OptionGroup var options: PatternOptions

  func validate() throws {
    if options.list {
      if name != nil { throw ValidationError("--list is for all patterns: omit the name, or use --describe.") }
    } else if name == nil {
      throw ValidationError("Name a pattern; --list lists them.")
    } else if options.output == nil, ContainerTraits.of(options.coding.request.format).family != .nothing,
      !options.describe
    {
      if options.json {
        throw ValidationError(
          "--json describes a pattern or a plan: add --describe, or name the output with -o FILE.")
      }
      throw ValidationError(
        "Name the output with -o FILE, or use --describe to see what the pattern is (--list lists all).")
    }
  }

  func run() throws {
    try options.messages.listening { session in
      if options.list {
        return try Console.result(options.json ? PatternReport.listJSON() : PatternReport.list)
      }
      let chosen = try ChosenPattern(name ?? "")
      if options.dryRun, options.json, options.pointScale.values.count > 1 {
        throw CommandFailure("--json prints a single plan: give one --point-scale, or omit --json.", .usage)
      }
      let plans = try files(chosen).map { file in
        try session.plan(
          options.request(name ?? "", output: file.name, scale: file.scale), writes: !options.describe)
      }
      if options.describe {
        for plan in plans { try report(plan, PatternLight(plan)) }
        return
      }
      for plan in plans {
        if options.dryRun {
          try PlanOptions.print(plan.any, asJSON: options.json)
          continue
        }
        if !options.messages.quiet { Console.note(plan.summary) }
        let (light, outcome) = try session.run(plan)
        if outcome == .cancelled { return }
        if options.json { try report(plan, light) }
      }
    }
  }

  /// Returns one file, or one per scale: name.png, name@2x.png.
  private func files(_ chosen: ChosenPattern) throws -> [(name: String, scale: Int)] {
    // Without an output, a pattern is described as video in the default format.
    let output = options.output ?? (options.describe ? "\(chosen.pattern.name).mkv" : "-")
    let scales = options.pointScale.values
    if scales.count == 1 { return [(output, scales[0])] }
    let suffix = ImageFormat.suffix(of: output)
    guard !suffix.isEmpty, options.describe || ImageFormat(suffixOf: output) != nil else {
      throw CommandFailure("Several --point-scale are for pictures: name one, such as pattern.png.", .usage)
    }
    return scales.map { scale in
      (scale == 1 ? output : "\(output.dropLast(suffix.count + 1))@\(scale)x.\(suffix)", scale)
    }
  }

  private func report(_ plan: PatternPlan, _ light: PatternLight) throws {
    let report = try PatternReport(plan, light)
    try Console.result(options.json ? try report.json() : report.text)
  }
}
