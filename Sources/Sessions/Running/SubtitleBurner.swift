internal import ColorScience
internal import FFmpegIO
internal import Foundation
internal import Frames
internal import Media
internal import Rendering
internal import Subtitles
internal import Synchronization
internal import ToneMapping

/// Draws the subtitles of a plan for the frames of an output. Used by the rendering thread.
package final class SubtitleBurner {
  private let renderer: SubtitleRenderer
  private let luminance: Double
  private let session: Session
  private var hasSaidGlyphs = false

  /// - Throws: `Refusal` if the subtitle file has changed, or the error of a library.
  init(_ session: Session, _ plan: SubtitlePlan, _ request: InputRequest, for target: RenderTarget) throws {
    (self.session, luminance) = (session, plan.luminance)
    let isHLG = target.endpoint.transfer == .hlg
    let peak = target.rendering.mapping?.display.peak ?? EDRMetadata.defaultMaxLuminance
    let light = GraphicsLight(
      primaries: target.endpoint.format.color.primaries.space ?? .bt709,
      systemGamma: isHLG ? HLG.gamma(peak: peak) : 1)
    let track = try session.subtitles(plan, request)
    renderer = try SubtitleRenderer(
      track, plan.geometry, light, palette: plan.palette(of: track) == .bt2020PQ ? .bt2020PQ : nil)
  }

  /// Returns the overlay to blend over a frame.
  func overlay(of frame: CodedFrame, on target: RenderTarget) throws -> LightOverlay? {
    var overlay = try renderer.overlay(at: frame.sourceTime)
    overlay?.white = target.graphicsWhite(luminance)
    if !hasSaidGlyphs, renderer.lacksGlyphs {
      session.warn(
        "glyphs-missing",
        "No installed font has some of the characters in the subtitles at "
          + "\(frame.sourceTime.seconds.words(decimals: 2)) s: install one for their language "
          + "(fonts-noto-core, fonts-noto-cjk).")
      hasSaidGlyphs = true
    }
    return overlay
  }
}

extension RenderTarget {
  /// Signal of graphics white in HLG. Source: ITU-R BT.2408-7, table 1.
  private static let hlgGraphicsWhite = 0.75

  /// Limits a luminance in cd/m² to the display's peak.
  func limited(_ luminance: Double) -> Double { min(luminance, rendering.mapping?.display.peak ?? PQ.peak) }

  /// Returns the light of graphics white in units of the coded bands.
  ///
  /// In PQ it is absolute; in HLG it is 75 % for the default of 203 cd/m², and proportional on the 1000 cd/m² display
  /// for other values; in SDR it is SDR white.
  /// - Parameter luminance: In cd/m².
  func graphicsWhite(_ luminance: Double) -> Double {
    switch endpoint.transfer {
    case .pq(unit: let unit): limited(luminance) / unit
    case .hlg:
      min(
        HLG.inverseOETF(Self.hlgGraphicsWhite)
          * pow(luminance / SubtitlePlan.graphicsWhite, 1 / HLG.gamma(peak: EDRMetadata.defaultMaxLuminance)), 1)
    default: 1
    }
  }
}

extension Session {
  /// Releases the cached subtitles, which may be large.
  package func dropSubtitles() { state.withLock { $0.subtitles = nil } }

  /// Reads the subtitles of a plan in full, once for a plan and its run, and for all pieces rendered in a row.
  /// - Throws: `Refusal` if the file has changed, or the error of a library.
  func subtitles(_ plan: SubtitlePlan, _ input: InputRequest) throws -> SubtitleTrack {
    if let kept = state.withLock({ $0.subtitles }), kept.plan == plan, kept.input == input { return kept.track }
    let reader: SubtitleReader
    switch plan.source {
    case .input:
      reader = try SubtitleReader(
        url: input.name, stream: plan.index, format: input.format, protocols: input.protocols)
    case .file(let file):
      switch try file.change() {
      // A copy of the file may be newer.
      case nil, .modified: break
      case .size, .contents: throw Refusal.failed(.inputDiffersFromPlan(file.path))
      }
      reader = try SubtitleReader(url: file.path, stream: plan.index)
    }
    let track = try reader.read(movedBy: plan.offset) { isCancelled }
    if track.errors > 0 {
      warn(
        "subtitles-damaged",
        "\(track.errors.counting("subtitle")) of \(plan.label) could not be decoded in full: what is damaged is "
          + "missing. If it is text, save it as UTF-8.")
    }
    if plan.palette == nil, case .pictures = track.content {
      let isHD = plan.palette(of: track) == .bt709
      let other: SubtitlePalette = isHD ? .bt2020PQ : .bt709
      note(
        "subtitle-palette-assumed",
        "The colours of \(plan.label) are read as "
          + "\(isHD ? "BT.709, as on Blu-ray" : "BT.2020 PQ, as on Ultra HD Blu-ray"): "
          + "\(.subtitlePalette, other.rawValue) if that is wrong.")
    }
    if track.count == 0, !isCancelled {
      warn("subtitles-empty", "\(plan.label) has no subtitles: nothing is burned in.")
    }
    state.withLock { $0.subtitles = (plan, input, track) }
    return track
  }
}
