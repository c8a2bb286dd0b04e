import ColorScience
import FFmpegIO
import Frames
import Rendering
import TestSupport
import Testing
import ToneMapping

/// HDR10+ that a phone measured again for every frame of one shot.
@Suite struct PhoneMetadataTests {
  @Test(arguments: [ShotTracker.Use.everything, .levels])
  func oneSetForAShot(_ use: ShotTracker.Use) throws {
    guard let clip = Clip.all.first(where: { $0.file.hasPrefix("hdr10plus_samsung") }) else { return }
    let reader = try MediaReader(url: clip.path)
    var tracker: ShotTracker?
    var sets: [ShotParameters?] = []
    var messages: Set<HDR10PlusMetadata> = []
    while let frame = try reader.readFrame() {
      let descriptor = try #require(EDRMetadata.describing(transfer: .pq, metadata: frame.metadata))
      if tracker == nil {
        tracker = ShotTracker(use: use, descriptor: descriptor, masteringDisplay: frame.metadata.masteringDisplay)
      }
      messages.insert(try #require(frame.metadata.hdr10Plus))
      let parameters = tracker?.parameters(for: frame.metadata)
      if sets.isEmpty || sets.last != parameters { sets.append(parameters) }
    }
    #expect(messages.count > 20)
    // The curve is one; the peak, without the curve, is raised once for a frame that is a fifth brighter than the first.
    #expect(sets.count == (use == .everything ? 1 : 2))
  }
}
