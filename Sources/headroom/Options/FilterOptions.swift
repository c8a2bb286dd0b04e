internal import ArgumentParser
internal import Filters
internal import ImageFiles

/// Visualizations and statistics of the light.
struct FilterOptions: ParsableArguments {
  private static let names = FilterKind.all.map(\.name).joined(separator: ", ")

  @Option(
    name: .customLong("filter"),
    help: ArgumentHelp(
      "\(names), with options as in highlight=gamut=p3:tint=orange; repeat it for several, which are applied in order. "
        + "help lists what each does and its options.",
      valueName: "name[=k=v:k=v]"))
  var texts: [String] = []

  @Option(
    help: ArgumentHelp(
      "File for statistics, - is standard output: a line of JSON for each frame and one for all, with the shares of pixels "
        + "outside BT.709 and P3 and above SDR white, 203, 1000 and 4000 cd/m², overall and by hue.",
      valueName: "file"))
  var stats: String?

  func validate() throws { try Self.check(texts) }

  /// Refuses filters that do not exist, and lists them on request.
  static func check(_ texts: [String]) throws {
    if texts.contains("help") { throw CleanExit.message(list) }
    do {
      try Filter.check(texts.map { try Filter($0) })
    } catch {
      throw ValidationError("\(error)")
    }
  }

  /// What each filter does, and its options.
  private static var list: String {
    let filters = FilterKind.all.map { kind in
      let options = kind.options.map { "  \($0.key)=\(String(repeating: " ", count: 10 - $0.key.count))\($0.help)" }
      return ([kind.name, "  \(kind.abstract)"] + options).joined(separator: "\n")
    }
    return (["Filters see the light of the content, before it is mapped to a display or clipped."] + filters)
      .joined(separator: "\n\n")
  }
}
