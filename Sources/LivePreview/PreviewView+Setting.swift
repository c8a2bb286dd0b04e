package import Displays
package import Scopes
package import Sessions
package import ToneMapping

/// Values set directly by other programs and devices, rather than step by step.
extension PreviewView {
  /// A setting of a view.
  package enum Setting: Sendable, Hashable {
    /// nil: the request's curve.
    case curve(ToneCurve?)
    /// Total stops, including the request's.
    case exposure(Double)
    case edr(Bool)
    /// Peak relative to SDR white; nil: each display's headroom.
    case headroom(Double?)
    /// In cd/m²; nil: the request's value.
    case sdrWhite(Double?)
    case highlight(Bool)
    case falseColor(Bool)
    case clipWarning(Bool)
    case scope(ScopeKind?)
  }

  /// - Parameter request: The mapping without the view.
  package mutating func set(_ setting: Setting, over request: MappingRequest) {
    switch setting {
    case .curve(let curve): self.curve = curve
    case .exposure(let stops): exposure = stops - request.exposure
    case .edr(let isOn): isEDROn = isOn
    case .headroom(let headroom): setHeadroom(headroom)
    case .sdrWhite(let nits): setSDRWhite(nits)
    case .highlight(let isShown): showsHighlight = isShown
    // Both paint pixels: one replaces the other.
    case .falseColor(let isShown): (showsFalseColor, showsClipWarning) = (isShown, showsClipWarning && !isShown)
    case .clipWarning(let isShown): (showsClipWarning, showsFalseColor) = (isShown, showsFalseColor && !isShown)
    case .scope(let kind): scope = kind
    }
  }

  /// The SDR white requested for every display, in cd/m²; nil: the display's value.
  package var askedSDRWhite: Double? { sdrWhite == initial.sdrWhite ? nil : sdrWhite }

  private mutating func setHeadroom(_ headroom: Double?) {
    askedHeadroom = headroom
    peak =
      headroom.map { min(max(sdrWhite * $0, sdrWhite), max(initial.maximumPeak, sdrWhite)) }
      ?? max(initial.peak, sdrWhite)
  }

  private mutating func setSDRWhite(_ nits: Double?) {
    sdrWhite = nits ?? initial.sdrWhite
    peak = max(askedHeadroom.map { min(sdrWhite * $0, initial.maximumPeak) } ?? initial.peak, sdrWhite)
  }
}

extension PreviewView {
  /// Returns the mapping of a request for the display of another device, with the current view.
  ///
  /// Values of the request's display do not apply to the other one: peak, headroom, black, surround. Reference mode
  /// allows no changes of the view.
  package func mapping(_ request: MappingRequest, to kind: OutputKind, on display: DisplayStatus) -> MappingRequest {
    var mapping = request
    (mapping.chosenKind, mapping.display, mapping.displaySource) = (kind, display, nil)
    (mapping.peak, mapping.headroom, mapping.sdrWhite, mapping.black, mapping.surround) = (nil, nil, nil, nil, nil)
    if kind == .sdr || display.potentialHeadroom == 1 { mapping.isExpanded = false }
    guard !mapping.isReference else {
      (mapping.curve, mapping.exposure, mapping.isExpanded, mapping.referenceWhite) = (nil, 0, false, nil)
      return mapping
    }
    if let curve { mapping.curve = .named(curve) }
    mapping.exposure = Self.bounded(request.exposure + exposure)
    // An expansion starts at diffuse white, wherever SDR white is.
    if !mapping.isExpanded { mapping.sdrWhite = askedSDRWhite.map { min($0, display.model.peak) } }
    if !isEDROn {
      let white = mapping.sdrWhite ?? display.sdrWhite
      (mapping.curve, mapping.isExpanded) = (.named(.clip), false)
      if kind != .sdr { mapping.peak = max(white, Self.minimumPeak) }
    } else if kind != .sdr, let askedHeadroom {
      mapping.headroom = min(max(askedHeadroom, 1), max(display.potentialHeadroom, 1))
    }
    if mapping.isExpanded { mapping.curve = nil }
    return mapping
  }

  /// Minimum plausible peak in HDR10, in cd/m².
  private static let minimumPeak = 80.0
}
