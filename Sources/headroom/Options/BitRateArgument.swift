internal import ArgumentParser
internal import Foundation

/// A bit rate or a number of bits with ffmpeg's syntax: "8M", "4500k", "4.5M", "4500000"; "8Mi" counts in 1024.
struct BitRateArgument: ExpressibleByArgument {
  let bits: Int

  init?(argument: String) {
    let digits = argument.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard let number = Double(digits), let unit = Self.unit(argument.dropFirst(digits.count)) else { return nil }
    let bits = (number * unit).rounded()
    guard bits >= 1, bits < 1e15 else { return nil }
    self.bits = Int(bits)
  }

  private static func unit(_ suffix: Substring) -> Double? {
    switch suffix {
    case "": 1
    case "k", "K": 1e3
    case "M": 1e6
    case "G": 1e9
    case "ki", "Ki": 0x1p10
    case "Mi": 0x1p20
    case "Gi": 0x1p30
    default: nil
    }
  }
}
