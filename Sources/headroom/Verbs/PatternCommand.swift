internal import ArgumentParser
internal import FFmpegIO
internal import Foundation
internal import ImageFiles
internal import Lettering
internal import Patterns

/// `headroom pattern NAME -o FILE`
struct PatternCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pattern", abstract: "Make test patterns, as video or pictures, correctly tagged.",
    discussion: """
      A pattern takes parameters after its name, as window=percent=10:nits=1000; --list names all patterns, and \
      NAME --describe says what each takes. HDR10 carries a mastering display, and MaxCLL and MaxFALL of its pixels \
      as they are coded. Encoders with constant quality are asked for 10 where --crf says nothing else, and x265 leaves \
      its psychovisual tools off where --encoder-options says nothing.
      """)

  @Argument(help: ArgumentHelp("Pattern, with parameters: NAME or NAME=k=v:k=v.", valueName: "name"))
  var name: String?

  @OptionGroup var options: PatternOptions

  func validate() throws {
    if options.list {
      if name != nil { throw ValidationError("--list is for all patterns: leave the name out, or --describe one.") }
    } else if name == nil {
      throw ValidationError("Name a pattern; --list lists them.")
    } else if options.output == nil, options.coding.format != "null", !options.describe {
      if options.json {
        throw ValidationError(
          "--json says what is made or described: add --describe, or say where the pattern goes with -o FILE.")
      }
      throw ValidationError(
        "Say where the pattern goes with -o FILE, or look at it with --describe (--list lists all).")
    }
  }

  func run() throws {
    FFmpegLog.level = options.messages.verbose ? .verbose : .quiet
    do {
      if options.list {
        return try Console.result(options.json ? PatternReport.listJSON() : PatternReport.list)
      }
      let chosen = try ChosenPattern(name ?? "")
      let plans = try files(chosen).map { try PatternPlan(chosen, options, output: $0.name, scale: $0.scale) }
      if options.describe {
        for plan in plans { try report(plan, PatternLight(plan)) }
        return
      }
      for plan in plans { try check(plan) }
      for plan in plans { if let status = try make(plan) { throw status } }
    } catch let status as ExitStatus {
      throw status
    } catch {
      throw CommandFailure(error)
    }
  }

  /// One file, or one for each scale: name.png, name@2x.png.
  private func files(_ chosen: ChosenPattern) throws -> [(name: String, scale: Int)] {
    // What is only described is described as video of the usual kind.
    let output = options.output ?? (options.describe ? "\(chosen.pattern.name).mkv" : "-")
    guard let scales = options.scales else { return [(output, options.scale)] }
    let suffix = ImageFormat.suffix(of: output)
    guard !suffix.isEmpty, options.describe || ImageFormat(suffixOf: output) != nil else {
      throw CommandFailure("--scales is for pictures: name one, as pattern.png.", .usage)
    }
    return scales.values.map { scale in
      (scale == 1 ? output : "\(output.dropLast(suffix.count + 1))@\(scale)x.\(suffix)", scale)
    }
  }

  /// Before the work, not after it.
  private func check(_ plan: PatternPlan) throws {
    if case .pictures(let names, let format, _, _) = plan.form {
      try OutputPath(plan.output).check(
        names, from: 0, count: plan.count, hasSidecars: format.isRaw, input: nil, overwrites: options.overwrite)
      _ = try OutputFile(wholeFileAt: names.name(0), replaces: options.overwrite)
    } else if plan.output != "-" {
      try OutputPath(plan.output).check(input: nil, overwrites: options.overwrite)
    }
  }

  private func make(_ plan: PatternPlan) throws -> ExitStatus? {
    plan.warnings.forEach(Console.warning)
    if case .failure(let error) = PatternPainter.lettering { Console.warning("Labels are left out. \(error)") }
    if !options.messages.quiet { Console.note(plan.summary) }
    let (light, status) = try PatternRun(plan, options).run()
    if status == nil, options.json { try report(plan, light) }
    return status
  }

  private func report(_ plan: PatternPlan, _ light: PatternLight) throws {
    let report = PatternReport(plan: plan, light: light)
    try Console.result(options.json ? try report.json() : report.text)
  }
}
