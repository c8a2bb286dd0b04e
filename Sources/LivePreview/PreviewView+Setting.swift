package import Displays
package import Scopes
package import Sessions
package import ToneMapping

/// What other programs and devices set, rather than change step by step.
extension PreviewView {
  /// One part of a view.
  package enum Setting: Sendable, Hashable {
    /// nil: what the request says.
    case curve(ToneCurve?)
    /// Stops in all, those of the request included.
    case exposure(Double)
    case edr(Bool)
    /// Peak over SDR white; nil: what each display has.
    case headroom(Double?)
    /// In cd/m²; nil: what the request says.
    case sdrWhite(Double?)
    case highlight(Bool)
    case falseColor(Bool)
    case clipWarning(Bool)
    case scope(ScopeKind?)
  }

  /// - Parameter request: How the light is mapped without the view.
  package mutating func set(_ setting: Setting, over request: MappingRequest) {
    switch setting {
    case .curve(let curve): self.curve = curve
    case .exposure(let stops): exposure = stops - request.exposure
    case .edr(let isOn): isEDROn = isOn
    case .headroom(let headroom): setHeadroom(headroom)
    case .sdrWhite(let nits): setSDRWhite(nits)
    case .highlight(let isShown): showsHighlight = isShown
    // Both paint pixels: the one that comes takes the other's place.
    case .falseColor(let isShown): (showsFalseColor, showsClipWarning) = (isShown, showsClipWarning && !isShown)
    case .clipWarning(let isShown): (showsClipWarning, showsFalseColor) = (isShown, showsFalseColor && !isShown)
    case .scope(let kind): scope = kind
    }
  }

  /// The SDR white that every display is to have, in cd/m²; nil: its own.
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
  /// The mapping of a request to the display of another device, as the light is looked at here.
  ///
  /// What the request says of its own display is not true of this one: peak, headroom, black, surround. In reference mode nothing is
  /// looked at in another way.
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
    // An expansion begins at diffuse white, wherever SDR white is.
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

  /// Peaks below that are not believed in HDR10.
  private static let minimumPeak = 80.0
}
