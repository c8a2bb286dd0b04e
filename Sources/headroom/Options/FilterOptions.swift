internal import ArgumentParser
internal import Filters
internal import ImageFiles

/// What is shown of the light besides the picture, and what is counted of it.
struct FilterOptions: ParsableArguments {
  private static let names = FilterKind.all.map(\.name).joined(separator: ", ")

  @Option(
    name: .customLong("filter"),
    help: ArgumentHelp(
      "\(names), with options as in highlight=gamut=p3:tint=orange; repeat it for more, which work in this order. help lists "
        + "what each does and takes.",
      valueName: "name[=k=v:k=v]"))
  var texts: [String] = []

  @Option(
    help: ArgumentHelp(
      "File for statistics, - is standard output: a line of JSON for each frame and one for all, with the shares of pixels "
        + "outside of BT.709 and P3 and above SDR white, 203, 1000 and 4000 cd/m², in all and by hue.",
      valueName: "file"))
  var stats: String?

  func validate() throws {
    if texts.contains("help") { throw CleanExit.message(Self.list) }
    _ = try parsed()
  }

  /// Whether the file of the statistics can be written, and is no other output.
  /// - Parameter outputs: By the options that name them.
  func checkFile(
    input: String, outputs: [(option: String, name: String?)], names: FileNames? = nil, overwrites: Bool
  ) throws {
    guard let stats else { return }
    try Self.check(stats, "--stats", input: input, outputs: outputs, names: names, overwrites: overwrites)
  }

  /// Whether a file beside an output can be written, and is none of the others.
  /// - Parameters:
  ///   - option: That names the file.
  ///   - names: Those of numbered pictures.
  static func check(
    _ file: String, _ option: String, input: String, outputs: [(option: String, name: String?)], names: FileNames?,
    overwrites: Bool
  ) throws {
    guard !file.isEmpty else { throw CommandFailure("\(option) takes the name of a file, or -.", .usage) }
    let path = OutputPath(file)
    if let other = outputs.first(where: { $0.name.map { path.isSame(as: $0) } ?? false })?.option {
      throw CommandFailure("\(option) and \(other) name the same place: give one of them another name.", .usage)
    }
    if let names, path.isSame(as: "", names: names) {
      throw CommandFailure("\(option) names one of the pictures: give it another name.", .usage)
    }
    if file != "-" { try path.check(input: input, overwrites: overwrites) }
  }

  /// In their order.
  func parsed() throws -> [Filter] {
    do {
      let filters = try texts.map { try Filter($0) }
      try Filter.check(filters)
      return filters
    } catch {
      throw ValidationError("\(error)")
    }
  }

  /// What the filters do and take.
  private static var list: String {
    let filters = FilterKind.all.map { kind in
      let options = kind.options.map { "  \($0.key)=\(String(repeating: " ", count: 10 - $0.key.count))\($0.help)" }
      return ([kind.name, "  \(kind.abstract)"] + options).joined(separator: "\n")
    }
    return (["Filters see the light of the content, before it is mapped to a display or clipped."] + filters)
      .joined(separator: "\n\n")
  }
}
