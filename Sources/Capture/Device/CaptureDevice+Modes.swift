internal import CV4L2
internal import Frames

extension CaptureDevice {
  /// Maximum number of formats, sizes and rates to query: a faulty driver might never end its list.
  private static let maxEntries: UInt32 = 256
  /// Maximum number of modes to list; formats, sizes and rates multiply.
  private static let mostModes = 4096

  /// The codes of all formats, including unreadable ones.
  public var formats: [FourCC] { describedFormats.map(\.code) }

  /// The formats with the driver's descriptions.
  var describedFormats: [(code: FourCC, name: String)] {
    var formats: [(code: FourCC, name: String)] = []
    for index in 0..<Self.maxEntries {
      var description = v4l2_fmtdesc()
      (description.index, description.type) = (index, bufferType)
      guard attempt(DeviceRequests.enumerateFormats, &description) == 0 else { break }
      let code = FourCC(rawValue: description.pixelformat)
      if !formats.contains(where: { $0.code == code }) { formats.append((code, text(of: description.description))) }
    }
    return formats
  }

  /// The readable modes. A range of sizes is listed as its minimum, its maximum and the common sizes between.
  public var modes: [CaptureMode] { modes(with: []) }

  /// - Parameter named: Additional sizes to list where a range contains them.
  func modes(with named: [Size]) -> [CaptureMode] {
    var modes: [CaptureMode] = []
    for format in formats.compactMap(CaptureFormat.init) {
      for size in sizes(of: format.code, with: named) where modes.count < Self.mostModes {
        let rates = rates(of: format.code, size)
        modes +=
          rates.isEmpty
          ? [CaptureMode(format, size, rate: nil)] : rates.map { CaptureMode(format, size, rate: $0) }
      }
    }
    return modes
  }

  private static let common = [
    (640, 480), (1280, 720), (1920, 1080), (2560, 1440), (3840, 2160), (4096, 2160),
  ].map { Size(width: $0.0, height: $0.1) }

  /// Returns whether the sizes of a format are a range.
  func hasRange(_ format: FourCC) -> Bool {
    var size = v4l2_frmsizeenum()
    size.pixel_format = format.rawValue
    return attempt(DeviceRequests.enumerateSizes, &size) == 0 && size.type != V4L2_FRMSIZE_TYPE_DISCRETE.rawValue
  }

  /// Returns the sizes of a format; for a range, its minimum and maximum, and the common and named sizes between.
  func sizes(of format: FourCC, with named: [Size] = []) -> [Size] {
    var sizes: [Size] = []
    for index in 0..<Self.maxEntries {
      var size = v4l2_frmsizeenum()
      (size.index, size.pixel_format) = (index, format.rawValue)
      guard attempt(DeviceRequests.enumerateSizes, &size) == 0 else { break }
      if size.type == V4L2_FRMSIZE_TYPE_DISCRETE.rawValue {
        sizes.append(Size(width: Int(size.discrete.width), height: Int(size.discrete.height)))
        continue
      }
      let range = size.stepwise
      let (smallest, largest) = (
        Size(width: Int(range.min_width), height: Int(range.min_height)),
        Size(width: Int(range.max_width), height: Int(range.max_height))
      )
      let between = (Self.common + named).filter { size in
        Self.isStep(size.width, smallest.width, largest.width, Int(range.step_width))
          && Self.isStep(size.height, smallest.height, largest.height, Int(range.step_height))
      }
      for size in [smallest] + between + [largest] where !sizes.contains(size) { sizes.append(size) }
      break
    }
    return sizes.filter(\.isPlausible)
  }

  private static func isStep(_ value: Int, _ smallest: Int, _ largest: Int, _ step: Int) -> Bool {
    value >= smallest && value <= largest && (value - smallest) % max(step, 1) == 0
  }

  /// Returns the rates of a format at a size, in frames per second; for a range, its maximum and minimum.
  func rates(of format: FourCC, _ size: Size) -> [Rational] {
    var rates: [Rational] = []
    for index in 0..<Self.maxEntries {
      var interval = v4l2_frmivalenum()
      (interval.index, interval.pixel_format) = (index, format.rawValue)
      (interval.width, interval.height) = (UInt32(size.width), UInt32(size.height))
      guard attempt(DeviceRequests.enumerateIntervals, &interval) == 0 else { break }
      let isDiscrete = interval.type == V4L2_FRMIVAL_TYPE_DISCRETE.rawValue
      // For a range, the shortest and the longest interval.
      let all = isDiscrete ? [interval.discrete] : [interval.stepwise.min, interval.stepwise.max]
      for rate in all.compactMap(\.rate) where !rates.contains(rate) { rates.append(rate) }
      if !isDiscrete { break }
    }
    return rates
  }
}

extension v4l2_fract {
  /// Frames per second of an interval; nil if it is invalid.
  var rate: Rational? {
    guard numerator > 0, denominator > 0 else { return nil }
    return Rational(Int(denominator), Int(numerator))
  }

  /// The interval of a rate in frames per second; nil if the rate is invalid.
  init?(rate: Rational) {
    guard let numerator = UInt32(exactly: rate.denominator), let denominator = UInt32(exactly: rate.numerator),
      numerator > 0, denominator > 0
    else { return nil }
    self.init(numerator: numerator, denominator: denominator)
  }
}
