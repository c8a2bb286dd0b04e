internal import ColorScience
internal import Foundation
package import Preview
package import Scopes
package import Sessions
package import ToneMapping

/// The view of a preview: settings changed by keys and other devices.
package struct PreviewView: Sendable, Hashable {
  /// nil: the request's curve.
  package internal(set) var curve: ToneCurve?
  /// Luminance of SDR white on the display, and its peak, in cd/m².
  package internal(set) var sdrWhite: Double
  package internal(set) var peak: Double
  /// Stops added to the request's exposure.
  package internal(set) var exposure = 0.0
  package internal(set) var isEDROn = true
  package internal(set) var showsHighlight = false
  package internal(set) var showsFalseColor = false
  package internal(set) var showsClipWarning = false
  package internal(set) var scope: ScopeKind?
  /// Headroom requested for every display that can reach it; nil: the display's value.
  package internal(set) var askedHeadroom: Double?

  let initial: Initial

  struct Initial: Hashable {
    package let curve: ToneCurve
    package let sdrWhite: Double
    let peak: Double
    let maximumPeak: Double
  }

  private static let quarterStop = exp2(0.25)
  private static let whiteStep = 1.1
  private static let mostStops = 10.0

  /// - Parameters:
  ///   - target: The initial target.
  ///   - curve: The initial curve.
  ///   - maximumPeak: The peak of the display in cd/m².
  package init(_ target: Display, curve: ToneCurve, maximumPeak: Double) {
    initial = Initial(
      curve: curve, sdrWhite: target.sdrWhite, peak: target.peak, maximumPeak: max(maximumPeak, target.peak))
    (sdrWhite, peak) = (target.sdrWhite, target.peak)
  }

  /// Peak relative to SDR white.
  package var headroom: Double { isEDROn ? peak / sdrWhite : 1 }

  /// Applies a command.
  /// - Returns: false if the command does not affect the view.
  package mutating func apply(_ command: PreviewCommand) -> Bool {
    let before = self
    switch command {
    case .nextCurve: turnCurve(by: 1)
    case .previousCurve: turnCurve(by: -1)
    case .raiseHeadroom: changePeak(to: min(peak * Self.quarterStop, initial.maximumPeak))
    case .lowerHeadroom: changePeak(to: max(peak / Self.quarterStop, sdrWhite))
    case .raiseExposure: exposure = min(exposure + 0.25, Self.mostStops)
    case .lowerExposure: exposure = max(exposure - 0.25, -Self.mostStops)
    case .toggleEDR: isEDROn.toggle()
    case .raiseSDRWhite: sdrWhite = min(Self.rounded(sdrWhite * Self.whiteStep), peak)
    case .lowerSDRWhite: sdrWhite = max(Self.rounded(sdrWhite / Self.whiteStep), 1)
    case .toggleHighlight: showsHighlight.toggle()
    case .toggleFalseColor: (showsFalseColor, showsClipWarning) = (!showsFalseColor, false)
    case .toggleClipWarning: (showsClipWarning, showsFalseColor) = (!showsClipWarning, false)
    case .nextScopes: scope = Self.scope(after: scope)
    case .resetView: self = PreviewView(initial)
    default: return false
    }
    return self != before
  }

  private init(_ initial: Initial) {
    self.initial = initial
    (sdrWhite, peak) = (initial.sdrWhite, initial.peak)
  }

  private mutating func changePeak(to nits: Double) {
    guard nits != peak else { return }
    (peak, askedHeadroom) = (nits, nits / sdrWhite)
  }

  /// Rounds to a tenth, as displayed.
  private static func rounded(_ nits: Double) -> Double { (nits * 10).rounded() / 10 }

  private mutating func turnCurve(by step: Int) {
    let curves = ToneCurve.all
    let now = curves.firstIndex(of: curve ?? initial.curve) ?? 0
    curve = curves[(now + step + curves.count) % curves.count]
  }

  private static func scope(after scope: ScopeKind?) -> ScopeKind? {
    guard let scope, let index = ScopeKind.allCases.firstIndex(of: scope) else { return ScopeKind.allCases.first }
    return index + 1 < ScopeKind.allCases.count ? ScopeKind.allCases[index + 1] : nil
  }

  /// Clamps stops to the range that a mapping supports.
  static func bounded(_ stops: Double) -> Double { min(max(stops, -mostStops), mostStops) }

  /// Returns the mapping of a request with this view applied.
  package func mapping(_ request: MappingRequest) -> MappingRequest {
    var mapping = request
    if let curve { mapping.curve = .named(curve) }
    mapping.exposure = Self.bounded(request.exposure + exposure)
    if !isEDROn {
      (mapping.curve, mapping.peak, mapping.sdrWhite, mapping.headroom) = (.named(.clip), sdrWhite, sdrWhite, nil)
    } else if sdrWhite != initial.sdrWhite || peak != initial.peak {
      (mapping.peak, mapping.sdrWhite, mapping.headroom) = (peak, sdrWhite, nil)
    }
    return mapping
  }

  /// Returns the filters of a request and those added by keys.
  package func filters(_ request: [String]) -> [String] {
    // Scopes switched on by a key replace the requested ones.
    request.filter { scope == nil || !$0.hasPrefix("scopes") } + (showsHighlight ? ["highlight"] : [])
      + (showsFalseColor ? ["false-color"] : []) + (showsClipWarning ? ["clip-warning"] : [])
      + (scope.map { ["scopes=show=\($0.rawValue)"] } ?? [])
  }
}
