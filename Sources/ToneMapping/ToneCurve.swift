public import Frames

/// A method of mapping the light of content to the range of a display.
public struct ToneCurve: Sendable {
  /// Name in requests and on the command line.
  public let name: String
  /// One line on what it does and where it comes from.
  public let summary: String
  private let make: @Sendable (ToneConditions) -> ToneMapper

  /// A named curve.
  /// - Parameters:
  ///   - name: Name in requests.
  ///   - summary: One line on what it does and where it comes from.
  ///   - make: The curve for one pair of content and display.
  public init(name: String, summary: String, make: @escaping @Sendable (ToneConditions) -> ToneMapper) {
    self.name = name
    self.summary = summary
    self.make = make
  }

  /// The curve for one pair of content and display, with everything that depends on them precomputed.
  ///
  /// A black that is not below the peak is treated as 0, for content and display.
  public func mapper(_ conditions: ToneConditions) -> ToneMapper {
    var conditions = conditions
    if !(conditions.contentBlack < conditions.contentPeak) { conditions.contentBlack = 0 }
    if !(conditions.display.black < conditions.display.peak) { conditions.display.black = 0 }
    return make(conditions)
  }

  /// Every curve, the default first.
  public static let all: [ToneCurve] = [system, st2094_50, bt2390, bt2446a, spline, reinhard, hable, mobius, clip]

  /// The curve of that name; nil if there is none.
  public static func named(_ name: String) -> ToneCurve? { all.first { $0.name == name } }
}

extension ToneCurve: Hashable {
  /// Curves are equal if their names are.
  public static func == (left: ToneCurve, right: ToneCurve) -> Bool { left.name == right.name }

  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// A curve added by another program can be used but not decoded, because `named` does not know it.
extension ToneCurve: CodableByName {}
