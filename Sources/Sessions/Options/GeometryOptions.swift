internal import Compositing
internal import Frames
internal import Media

/// Deinterlacing, cropping and scaling of pictures.
public enum GeometryOptions: OptionTable {
  public static let options: [RequestOption<GeometryRequest>] = [
    RequestOption(
      .deinterlace, \.deinterlacing, .choice("mode"),
      "Deinterlace pictures that are flagged as interlaced, with FFmpeg's bwdif: to a frame each (frame), or to a frame "
        + "for each field, at twice the rate (field).", .changesLight),
    RequestOption(
      .crop, \.crop, .crop,
      "Keep a part of the picture, before scaling: width, height, and the place of its top left (without X:Y the "
        + "middle); auto leaves out the black bars that all selected frames have, for which the input is read an extra "
        + "time.", .changesLight),
    RequestOption(
      .cropLimit, \.cropLimit, .number("signal", CropRequest.limits),
      "Signal up to which \(.crop, "auto") takes a sample for black, as a share of the nominal range: more for noise, "
        + "less for a dark film.", default: "0.0625, 14 eight-bit codes", needs: [.crop]),
    RequestOption(
      .scale, \.scale, .scaling,
      "Size of the output; -1 or -2 for one side keeps the aspect ratio, -2 makes it even. Scaled with Lanczos in the "
        + "input's own signal, before light is mapped, which keeps halos around highlights small.", .changesLight),
    RequestOption(
      .pad, \.padding, .padding,
      "Border around the picture, after scaling: width and height with it, the place of the picture's top left (without "
        + "X:Y the middle), and the border's colour: black, white (203 cd/m² in PQ) or #RRGGBB in sRGB, which is mapped "
        + "with the picture.", .changesLight),
    RequestOption(
      .sampleAspect, \.sampleAspect, .aspect,
      "Sample aspect ratio that the output states, where the input's is wrong or missing; samples stay as they are.",
      default: "the input's, adapted to the size"),
  ]
}

extension OptionValue where Value == CropRequest {
  fileprivate static var crop: OptionValue {
    OptionValue(
      "W:H:X:Y|auto", expected: "W:H:X:Y, W:H or auto", parse: CropRequest.init(argument:), text: \.argument)
  }
}

extension CropRequest {
  /// "W:H:X:Y" or "W:H" as ffmpeg's filter takes them, or "auto".
  fileprivate init?(argument: String) {
    if argument == "auto" {
      self = .automatic
      return
    }
    let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.compactMap(\.wholeNumber)
    guard numbers.count == parts.count, numbers.prefix(2).allSatisfy({ $0 > 0 }) else { return nil }
    switch numbers.count {
    case 2: self = .centered(Size(width: numbers[0], height: numbers[1]))
    case 4: self = .area(PictureArea(x: numbers[2], y: numbers[3], width: numbers[0], height: numbers[1]))
    default: return nil
    }
  }

  fileprivate var argument: String {
    switch self {
    case .automatic: "auto"
    case .centered(let size): "\(size.width):\(size.height)"
    case .area(let area): area.argument
    }
  }
}

extension PictureArea {
  /// The crop as an argument: "1920:800:0:140".
  var argument: String { "\(width):\(height):\(x):\(y)" }
}

extension OptionValue where Value == PictureScaling {
  fileprivate static var scaling: OptionValue {
    OptionValue(
      "WxH", canBeginWithDash: true, expected: "a size from 16x16 to 16384x16384, such as 1280x720 or 1280x-2",
      parse: PictureScaling.init(argument:), text: \.argument)
  }
}

extension OptionValue where Value == GeometryRequest.Padding {
  fileprivate static var padding: OptionValue {
    OptionValue(
      "W:H:X:Y:color", expected: "W:H, W:H:X:Y or W:H:X:Y:COLOR, with black, white or #RRGGBB",
      parse: GeometryRequest.Padding.init(argument:), text: \.argument,
      check: { parameter, padding throws(Refusal) in
        for extent in [padding.size.width, padding.size.height] where !PictureScaling.extents.contains(extent) {
          throw .invalid(.outOfRange(parameter, "\(padding.size)", "16x16", "16384x16384"))
        }
      })
  }
}

extension GeometryRequest.Padding {
  fileprivate init?(argument: String) {
    let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.prefix(4).compactMap(\.wholeNumber)
    guard [2, 4, 5].contains(parts.count), numbers.count == min(parts.count, 4) else { return nil }
    self.init(Size(width: numbers[0], height: numbers[1]))
    if numbers.count == 4 { origin = Origin(x: numbers[2], y: numbers[3]) }
    if parts.count == 5 {
      guard let named = Background.named(String(parts[4])) else { return nil }
      color = named
    }
  }

  fileprivate var argument: String {
    let place = origin.map { ":\($0.x):\($0.y)" } ?? ""
    return "\(size.width):\(size.height)\(place)" + (origin == nil || color == .black ? "" : ":\(color.name)")
  }
}

extension OptionValue where Value == Rational {
  /// Both terms fit the syntax of H.264 and H.265 (E.2.1: sar_width and sar_height).
  private static var parts: ClosedRange<Int> { 1...65_535 }

  fileprivate static var aspect: OptionValue {
    OptionValue(
      "W:H", expected: "two whole numbers from 1 to 65535, such as 64:45",
      parse: { text in
        let numbers = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        guard numbers.count == 2, numbers.allSatisfy(parts.contains) else { return nil }
        return Rational(numbers[0], numbers[1])
      }, text: { "\($0.numerator):\($0.denominator)" },
      check: { parameter, ratio throws(Refusal) in
        guard parts.contains(ratio.numerator), parts.contains(ratio.denominator) else {
          throw .invalid(.outOfRange(parameter, "\(ratio.numerator):\(ratio.denominator)", "1:65535", "65535:1"))
        }
      })
  }
}

extension PictureScaling {
  /// "1280x720", or "1280:720" as for FFmpeg's filter; "1280x-2" or "-1x720" if one side follows from the other, -2
  /// rounded to an even number.
  fileprivate init?(argument: String) {
    let extents = argument.split(omittingEmptySubsequences: false) { $0 == "x" || $0 == ":" }.map(Self.extent)
    guard extents.count == 2, let width = extents[0], let height = extents[1] else { return nil }
    self.init(width: width, height: height)
  }

  private static func extent(_ text: Substring) -> Extent? {
    switch text {
    case "-1": .ratio(multiple: 1)
    case "-2": .ratio(multiple: 2)
    default: text.wholeNumber.map(Extent.samples)
    }
  }

  fileprivate var argument: String { "\(Self.text(width))x\(Self.text(height))" }

  private static func text(_ extent: Extent) -> String {
    switch extent {
    case .samples(let count): "\(count)"
    case .ratio(let multiple): "-\(multiple)"
    }
  }
}

extension Substring {
  /// The number of a text of decimal digits alone; nil for others, also with a sign.
  fileprivate var wholeNumber: Int? { allSatisfy { ("0"..."9").contains($0) } ? Int(self) : nil }
}
