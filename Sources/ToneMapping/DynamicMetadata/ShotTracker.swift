internal import ColorScience
public import Frames
import Glibc

/// Follows the dynamic metadata of a stream and says which parameters each frame is mapped with: the same for every frame
/// of a shot, so that nothing flickers.
///
/// ST 2094-50 states the mapping itself and is taken as it comes. HDR10+ of phones and live encoders is measured anew in
/// every frame. It is taken at the first frame, where its light jumps, and where it changes or settles after being constant;
/// between those, the shot keeps what it began with. A frame without metadata is as the frame before.
/// `docs/decisions/0006-dynamic-metadata.md` has the reasons.
public struct ShotTracker: Sendable {
  /// What of the metadata is used.
  public enum Use: String, Sendable, Hashable, Codable {
    /// Curves and levels, ST 2094-50 before HDR10+.
    case everything
    /// HDR10+ with its curve.
    case hdr10Plus
    /// Peaks and reference white, for a curve of one's own choice.
    case levels
  }

  /// Change of the light from one frame to the next, in PQ, that is a change of shot. Jitter of a phone's metadata was
  /// seen to reach 0.04.
  static let jump = 0.08
  /// Frames after which metadata counts as constant.
  static let steadyFrames = 12
  /// How much brighter than the shot's parameters say a frame may be, in PQ, before they are raised, and how much more
  /// than that they then are raised.
  static let peakTolerance = 0.01
  static let peakMargin = 0.05

  private let use: Use
  private let believer: HDR10PlusBelief?
  private var map: AdaptiveToneMap?
  private var latest: HDR10PlusMetadata?
  private var held: HDR10PlusMetadata?
  /// Frames that `latest` has been the same for.
  private var run = 0
  private var parameters: ShotParameters?
  private var said: Set<Fault> = []
  private var unsaid: [String] = []

  /// What can be wrong with dynamic metadata; each is said once.
  enum Fault: Hashable { case peak, curve, distribution, renditions }

  /// A tracker that has seen no frame yet.
  /// - Parameters:
  ///   - use: What is used of the metadata.
  ///   - descriptor: Of the stream; HDR10+ counts only beside HDR10.
  ///   - masteringDisplay: Of the stream.
  public init(use: Use, descriptor: EDRMetadata, masteringDisplay: MasteringDisplay?) {
    self.use = use
    guard case .hdr10 = descriptor.kind else {
      believer = nil
      return
    }
    let believed = masteringDisplay.flatMap { descriptor.believes($0) ? $0.maxNits : nil }
    believer = HDR10PlusBelief(masteringPeak: believed)
  }

  /// The parameters for a frame, which must be given in order; nil where no metadata has come that is used.
  public mutating func parameters(for metadata: HDRMetadata) -> ShotParameters? {
    if use != .hdr10Plus, let new = metadata.adaptiveToneMap, new != map { take(new) }
    guard map == nil, let believer, let plus = metadata.hdr10Plus else { return parameters }
    if isNewShot(plus, believer) {
      held = plus
      parameters = believer.parameters(plus, hasCurve: use != .levels) { say($0, $1) }
    } else {
      raise(plus, believer)
    }
    return parameters
  }

  /// The tracker of another part of the same stream.
  public func restarted() -> ShotTracker {
    var result = self
    (result.map, result.latest, result.held, result.parameters) = (nil, nil, nil, nil)
    result.run = 0
    return result
  }

  /// A sentence for each kind of value that was not believed since the last call.
  public mutating func takeIgnored() -> [String] {
    defer { unsaid = [] }
    return unsaid
  }

  private mutating func say(_ fault: Fault, _ text: String) {
    if said.insert(fault).inserted { unsaid.append(text) }
  }

  private mutating func take(_ new: AdaptiveToneMap) {
    map = new
    var result = ShotParameters(referenceWhite: new.referenceWhite)
    if let adaptation = new.adaptation {
      result.contentPeak = new.referenceWhite * exp2(adaptation.baselineStops)
      if case .alternates = adaptation.method, use == .everything {
        if let fault = adaptation.fault {
          say(.renditions, "the renditions of ST 2094-50: \(fault); its reference white and headroom are used")
        } else {
          result.curve = .renditions(adaptation)
        }
      }
    }
    parameters = result
  }

  private mutating func isNewShot(_ plus: HDR10PlusMetadata, _ believer: HDR10PlusBelief) -> Bool {
    guard let latest else {
      (self.latest, run) = (plus, 1)
      return true
    }
    if plus == latest {
      run = min(run + 1, Self.steadyFrames)
      return run == Self.steadyFrames && plus != held
    }
    let isNew = run == Self.steadyFrames || believer.distance(latest, plus) > Self.jump
    (self.latest, run) = (plus, 1)
    return isNew
  }

  /// No frame of a shot is brighter than its peak, up to the tolerance.
  private mutating func raise(_ plus: HDR10PlusMetadata, _ believer: HDR10PlusBelief) {
    guard let current = parameters?.contentPeak, let peak = believer.peak(plus) else { return }
    let signal = PQ.inverseEOTF(peak)
    guard signal > PQ.inverseEOTF(current) + Self.peakTolerance else { return }
    parameters?.contentPeak = min(PQ.eotf(min(signal + Self.peakMargin, 1)), believer.highestPeak)
  }
}
