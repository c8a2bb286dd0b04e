internal import ColorScience
public import Frames
import Glibc
public import Rendering

/// Tracks the dynamic metadata of a stream and determines the mapping parameters of each frame, constant within a shot
/// to prevent flicker.
///
/// ST 2094-50 states the mapping itself and is used unchanged. HDR10+ from phones and live encoders is measured anew
/// for every frame. It is adopted at the first frame, where its light jumps, and where it changes or settles after
/// being constant; in between, the shot keeps its initial values. A frame without metadata repeats the previous
/// frame's. `docs/decisions/0006-dynamic-metadata.md` gives the reasons.
public struct ShotTracker: Sendable {
  /// The parts of the metadata that are used.
  public enum Use: String, Sendable, Hashable, Codable {
    /// Curves and levels; ST 2094-50 takes precedence over HDR10+.
    case everything
    /// HDR10+ with its curve.
    case hdr10Plus
    /// Peaks and reference white only, for a selected curve.
    case levels
  }

  /// Change of the light between frames, in PQ, that indicates a new shot. Jitter of up to 0.04 was observed in a
  /// phone's metadata.
  static let jump = 0.08
  /// Frames after which metadata is considered constant.
  static let steadyFrames = 12
  /// How far, in PQ, a frame may exceed the shot's peak before the peak is raised, and the extra margin when it is.
  static let peakTolerance = 0.01
  static let peakMargin = 0.05

  private let use: Use
  private let validator: HDR10PlusValidator?
  /// State after the frames so far; the state of another tracker of the same stream continues its shot.
  public var state = State()
  private var said: Set<Fault> = []
  private var unsaid: [String] = []

  /// The state that the next frame's parameters depend on.
  public struct State: Sendable, Hashable, Codable {
    var map: AdaptiveToneMap?
    var latest: HDR10PlusMetadata?
    var held: HDR10PlusMetadata?
    /// Number of consecutive frames with the same `latest`.
    var run = 0
    var parameters: ShotParameters?

    /// Creates the state before the first frame.
    public init() {}
  }

  /// A fault of dynamic metadata; each kind is reported once.
  enum Fault: Hashable { case peak, curve, distribution, renditions }

  /// Creates a tracker without frames.
  /// - Parameters:
  ///   - use: The parts of the metadata that are used.
  ///   - descriptor: Descriptor of the stream; HDR10+ is used only with HDR10.
  ///   - masteringDisplay: Mastering display of the stream.
  public init(use: Use, descriptor: EDRMetadata, masteringDisplay: MasteringDisplay?) {
    self.use = use
    guard case .hdr10 = descriptor.kind else {
      validator = nil
      return
    }
    let plausible = masteringDisplay.flatMap { descriptor.isPlausible($0) ? $0.maxNits : nil }
    validator = HDR10PlusValidator(masteringPeak: plausible)
  }

  /// Returns the parameters of the next frame in order; nil if there has been no usable metadata.
  public mutating func parameters(for metadata: HDRMetadata) -> ShotParameters? {
    if use != .hdr10Plus, let new = metadata.adaptiveToneMap, new != state.map { take(new) }
    guard state.map == nil, let validator, let plus = metadata.hdr10Plus else { return state.parameters }
    if isNewShot(plus, validator) {
      state.held = plus
      state.parameters = validator.parameters(plus, hasCurve: use != .levels) { say($0, $1) }
    } else {
      raise(plus, validator)
    }
    return state.parameters
  }

  /// Returns a tracker for another part of the same stream.
  public func restarted() -> ShotTracker {
    var result = self
    result.state = State()
    return result
  }

  /// Returns a sentence for each new kind of implausible value since the last call.
  public mutating func takeIgnored() -> [String] {
    defer { unsaid = [] }
    return unsaid
  }

  private mutating func say(_ fault: Fault, _ text: String) {
    if said.insert(fault).inserted { unsaid.append(text) }
  }

  private mutating func take(_ new: AdaptiveToneMap) {
    state.map = new
    var result = ShotParameters(referenceWhite: new.referenceWhite)
    if let adaptation = new.adaptation {
      result.contentPeak = new.referenceWhite * exp2(adaptation.baselineStops)
      switch adaptation.method {
      case .referenceWhite where use == .everything: result.curve = .referenceWhite
      case .alternates where use == .everything:
        if let fault = adaptation.fault {
          say(.renditions, "the renditions of ST 2094-50: \(fault); its reference white and headroom are used")
        } else {
          result.curve = .renditions(adaptation)
        }
      case .referenceWhite, .alternates: break
      }
    }
    state.parameters = result
  }

  private mutating func isNewShot(_ plus: HDR10PlusMetadata, _ validator: HDR10PlusValidator) -> Bool {
    guard let latest = state.latest else {
      (state.latest, state.run) = (plus, 1)
      return true
    }
    if plus == latest {
      state.run = min(state.run + 1, Self.steadyFrames)
      return state.run == Self.steadyFrames && plus != state.held
    }
    let isNew = state.run == Self.steadyFrames || validator.distance(latest, plus) > Self.jump
    (state.latest, state.run) = (plus, 1)
    return isNew
  }

  /// Raises the peak if a frame of the shot exceeds it by more than the tolerance.
  private mutating func raise(_ plus: HDR10PlusMetadata, _ validator: HDR10PlusValidator) {
    guard let current = state.parameters?.contentPeak, let peak = validator.peak(plus) else { return }
    let signal = PQ.inverseEOTF(peak)
    guard signal > PQ.inverseEOTF(current) + Self.peakTolerance else { return }
    state.parameters?.contentPeak = min(PQ.eotf(min(signal + Self.peakMargin, 1)), validator.highestPeak)
  }
}
