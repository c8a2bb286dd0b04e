/// The current status of a display.
public struct DisplayStatus: Sendable, Hashable, Codable {
  /// Its capabilities.
  public var model: DisplayModel
  /// SDR white relative to the model's, as set by a brightness control: usually 0...1; nil: no control.
  public var brightness: Double?
  /// The headroom reached so far by a ramp; nil: the display's full headroom.
  public var rampedHeadroom: Double?

  /// A display, with the current fraction of its SDR white.
  public init(_ model: DisplayModel, brightness: Double? = nil) { (self.model, self.brightness) = (model, brightness) }

  /// Luminance of SDR white in cd/m². Fixed in reference mode.
  public var sdrWhite: Double {
    if model.isReferenceModeEnabled, model.supportsReferenceMode { return min(ReferenceMode.sdrWhite, model.peak) }
    return min(max(model.sdrWhite * (brightness ?? 1), Self.darkest), model.peak)
  }

  /// Minimum SDR white in cd/m²: keeps the headroom of a dark screen finite.
  private static let darkest = 1.0

  /// The current headroom, limited by a ramp. At least 1.
  public var currentHeadroom: Double { min(headroom, max(rampedHeadroom ?? .infinity, 1)) }

  /// The current headroom: peak over SDR white at the current brightness, at most the potential headroom. At least 1.
  private var headroom: Double {
    if model.isReferenceModeEnabled, model.supportsReferenceMode {
      return min(max(model.peak / sdrWhite, 1), ReferenceMode.headroom)
    }
    return min(max(model.peak / sdrWhite, 1), model.potentialHeadroom)
  }

  /// The maximum headroom. Reference mode may have a lower SDR white than any brightness setting.
  public var potentialHeadroom: Double { max(model.potentialHeadroom, headroom) }

  /// The headroom up to which values are shown unchanged; 0 without a reference mode.
  public var referenceHeadroom: Double { model.referenceHeadroom }

  /// The status of reference mode.
  public var referenceMode: ReferenceMode.Status {
    ReferenceMode.status(
      isSupported: model.supportsReferenceMode, isEnabled: model.isReferenceModeEnabled, headroom: currentHeadroom)
  }
}
