internal import ArgumentParser
internal import ColorScience
internal import Displays

/// "measured=0.305,0.32,110:target=0.3127,0.329,100".
struct WhitePointArgument: ExpressibleByArgument {
  let adaptation: WhitePointAdaptation

  init?(argument: String) {
    var whites: [String: WhitePointAdaptation.White] = ["target": .init(.d65)]
    for part in argument.split(separator: ":", omittingEmptySubsequences: false) {
      let pair = part.split(separator: "=", maxSplits: 1)
      guard pair.count == 2, ["measured", "target"].contains(pair[0]) else { return nil }
      let numbers = pair[1].split(separator: ",", omittingEmptySubsequences: false).map { Double($0) ?? .nan }
      guard (2...3).contains(numbers.count), numbers.allSatisfy({ $0.isFinite && $0 > 0 }),
        numbers[0] + numbers[1] <= 1
      else { return nil }
      whites[String(pair[0])] = .init(
        Chromaticity(x: numbers[0], y: numbers[1]), luminance: numbers.count == 3 ? numbers[2] : nil)
    }
    guard let measured = whites["measured"], let target = whites["target"] else { return nil }
    adaptation = WhitePointAdaptation(measured: measured, target: target)
  }
}
