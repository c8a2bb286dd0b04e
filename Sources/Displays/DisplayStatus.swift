/// A display as it is now.
public struct DisplayStatus: Sendable, Hashable, Codable {
  /// What it can do.
  public var model: DisplayModel
  /// SDR white as a share of the model's, which a brightness control sets: mostly 0...1; nil: there is none.
  public var brightness: Double?
  /// The headroom that a rise has reached so far; nil: all that the display has.
  public var rampedHeadroom: Double?

  /// A display, with the share of its SDR white that its brightness control leaves.
  public init(_ model: DisplayModel, brightness: Double? = nil) { (self.model, self.brightness) = (model, brightness) }

  /// Luminance of SDR white in cd/m². Reference mode locks it.
  public var sdrWhite: Double {
    if model.isReferenceModeEnabled, model.supportsReferenceMode { return min(ReferenceMode.sdrWhite, model.peak) }
    return min(max(model.sdrWhite * (brightness ?? 1), Self.darkest), model.peak)
  }

  /// A screen that is off still has a finite headroom.
  private static let darkest = 1.0

  /// The headroom that it has now, or the part of it that is used. At least 1.
  public var currentHeadroom: Double { min(headroom, max(rampedHeadroom ?? .infinity, 1)) }

  /// The headroom that it has now: its peak over the SDR white of the current brightness, at most the potential one. At least 1.
  private var headroom: Double {
    if model.isReferenceModeEnabled, model.supportsReferenceMode {
      return min(max(model.peak / sdrWhite, 1), ReferenceMode.headroom)
    }
    return min(max(model.peak / sdrWhite, 1), model.potentialHeadroom)
  }

  /// The largest headroom that it ever has. Reference mode may have a lower SDR white than any brightness.
  public var potentialHeadroom: Double { max(model.potentialHeadroom, headroom) }

  /// The headroom up to which values are shown as they are; 0 without a reference mode.
  public var referenceHeadroom: Double { model.referenceHeadroom }

  /// Whether it is in reference mode, and has what that promises.
  public var referenceMode: ReferenceMode.Status {
    ReferenceMode.status(
      isSupported: model.supportsReferenceMode, isEnabled: model.isReferenceModeEnabled, headroom: currentHeadroom)
  }
}
