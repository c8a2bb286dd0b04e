public import Frames

/// A way to bring the light of content into the range of a display.
public struct ToneCurve: Sendable {
  /// What requests and the command line call it.
  public let name: String
  /// One line on what it does and where it comes from.
  public let summary: String
  private let make: @Sendable (ToneConditions) -> ToneMapper

  /// A curve by its name.
  /// - Parameters:
  ///   - name: As requests name it.
  ///   - summary: One line on what it does and where it comes from.
  ///   - make: The curve for one pair of content and display.
  public init(name: String, summary: String, make: @escaping @Sendable (ToneConditions) -> ToneMapper) {
    self.name = name
    self.summary = summary
    self.make = make
  }

  /// The curve for one pair of content and display; everything that depends on them is computed here, once.
  ///
  /// A black that is not below the peak counts as 0, of content and display alike.
  public func mapper(_ conditions: ToneConditions) -> ToneMapper {
    var conditions = conditions
    if !(conditions.contentBlack < conditions.contentPeak) { conditions.contentBlack = 0 }
    if !(conditions.display.black < conditions.display.peak) { conditions.display.black = 0 }
    return make(conditions)
  }

  /// Every curve, the default first.
  public static let all: [ToneCurve] = [system, bt2390, bt2446a, spline, reinhard, hable, mobius, clip]

  /// The curve of that name; nil where there is none.
  public static func named(_ name: String) -> ToneCurve? { all.first { $0.name == name } }
}

extension ToneCurve: Hashable {
  /// Curves are what their names say.
  public static func == (left: ToneCurve, right: ToneCurve) -> Bool { left.name == right.name }

  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// A curve that another program adds can be used, but not sent: `named` does not know it.
extension ToneCurve: CodableByName {}
