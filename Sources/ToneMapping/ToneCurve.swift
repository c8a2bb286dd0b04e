public import Frames

/// A method of mapping the light of content to the range of a display.
public struct ToneCurve: Sendable {
  /// Name in requests and on the command line.
  public let name: String
  /// One line on its effect and origin.
  public let summary: String
  private let make: @Sendable (ToneConditions) -> ToneMapper

  /// Creates a named curve.
  /// - Parameters:
  ///   - name: Name in requests.
  ///   - summary: One line on its effect and origin.
  ///   - make: Creates the curve for one pair of content and display.
  public init(name: String, summary: String, make: @escaping @Sendable (ToneConditions) -> ToneMapper) {
    self.name = name
    self.summary = summary
    self.make = make
  }

  /// Creates the curve for one pair of content and display, with all dependent values precomputed.
  ///
  /// A black level at or above the peak is treated as 0, for content and display.
  public func mapper(_ conditions: ToneConditions) -> ToneMapper {
    var conditions = conditions
    if !(conditions.contentBlack < conditions.contentPeak) { conditions.contentBlack = 0 }
    if !(conditions.display.black < conditions.display.peak) { conditions.display.black = 0 }
    return make(conditions)
  }

  /// Every curve, the default first.
  public static let all: [ToneCurve] = [system, st2094_50, bt2390, bt2446a, spline, reinhard, hable, mobius, clip]

  /// Returns the curve with this name; nil if there is none.
  public static func named(_ name: String) -> ToneCurve? { all.first { $0.name == name } }
}

extension ToneCurve: Hashable {
  /// Curves are equal if their names are.
  public static func == (left: ToneCurve, right: ToneCurve) -> Bool { left.name == right.name }

  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// Curves added by other programs can be used but not decoded, because `named` does not know them.
extension ToneCurve: CodableByName {}
