import Testing

import ConstantColor

@Suite struct FlashPairSearchTests {
  /// Frames of a made-up scene.
  private struct Scene {
    /// Changes the surfaces: another scene.
    var seed: UInt64 = 1
    /// Columns that the camera has moved by.
    var shift = 0
    /// Light of the room, and of the flash.
    var room: Float = 0.1
    var flash: Float = 0
    /// Rows that the flash reaches while the shutter rolls.
    var lit = 0..<FrameSummary.rows
    var noise: Float = 0.002

    func summary(_ index: Int, clipped: Double = 0, sharpness: Double = 1) -> FrameSummary {
      var light: [SIMD3<Float>] = []
      for row in 0..<FrameSummary.rows {
        for column in 0..<FrameSummary.columns {
          let surface = SIMD3<Float>(repeating: 0.1) + 0.8 * Self.random(seed, row * 40 + column + shift)
          let window: Float = column < 5 ? 2.5 : 0.7
          let distance = 1 + Float((column - 8) * (column - 8) + (row - 4) * (row - 4)) / 60
          let own = SIMD3<Float>(1, 0.8, 0.5) * room * window
          let added = lit.contains(row) ? SIMD3<Float>(0.9, 1, 1.1) * flash / distance : .zero
          let grain = (Self.random(seed &+ 77 &+ UInt64(index) &* 991, row * 40 + column) - 0.5) * noise
          light.append(surface * (own + added) + grain * room)
        }
      }
      return FrameSummary(
        index: index, seconds: Double(index) / 25, light: light, clippedShare: clipped, sharpness: sharpness)
    }

    private static func random(_ seed: UInt64, _ place: Int) -> SIMD3<Float> {
      var state = seed &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(place) &* 0xBF58_476D_1CE4_E5B9
      func next() -> Float {
        state = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
        state = (state ^ state >> 27) &* 0x94D0_49BB_1331_11EB
        state ^= state >> 31
        return Float(state >> 40) / Float(1 << 24)
      }
      return SIMD3(next(), next(), next())
    }
  }

  private func pair(_ frames: [FrameSummary]) -> FlashPair? {
    var search = FlashPairSearch()
    for frame in frames { search.add(frame) }
    search.interrupt()
    return search.best
  }

  private func pair(_ count: Int, _ change: (Int, inout Scene) -> Void) -> FlashPair? {
    pair(
      (0..<count).map { index in
        var scene = Scene()
        change(index, &scene)
        return scene.summary(index)
      })
  }

  @Test(arguments: [0, 1, 2, 11, 18, 19], [Float(0.02), 0.1, 1]) func aFlashIsFound(at place: Int, strength: Float)
    throws
  {
    let found = try #require(pair(20) { index, scene in scene.flash = index == place ? strength : 0 })
    #expect(found.flash == place && abs(found.ambient - place) == 1)
    #expect(found.reason == (place == 0 ? .switchedOff : place == 19 ? .switchedOn : .flash))
    let share = try #require(found.flashShare)
    #expect(share > 0.05 && share < 0.95 && (found.contrast ?? 0) > 5)
  }

  @Test func aLampIsFound() {
    #expect(pair(20) { index, scene in scene.flash = index >= 8 ? 0.2 : 0 }?.reason == .switchedOn)
    let off = pair(20) { index, scene in scene.flash = index < 8 ? 0.2 : 0 }
    #expect(off?.flash == 7 && off?.ambient == 8 && off?.reason == .switchedOff)
    // Of a dark room there is no pattern.
    let dark = pair(20) { index, scene in
      (scene.room, scene.noise) = (1e-5, 0.5)
      scene.flash = index >= 8 ? 0.2 : 0
    }
    #expect(dark?.ambient == 7 && dark?.flash == 8)
  }

  @Test(arguments: [(0, 1), (1, 0)]) func twoFramesAreAPair(ambient: Int, flash: Int) {
    let found = pair(2) { index, scene in scene.flash = index == flash ? 0.3 : 0 }
    #expect(found?.ambient == ambient && found?.flash == flash && found?.contrast == nil)
    #expect(pair(1) { _, _ in } == nil && pair(0) { _, _ in } == nil)
  }

  /// The shutter rolls: a frame is lit below, the next one wholly, the third one above.
  @Test func framesThatAreLitInPartAreSkipped() {
    let burst = pair(20) { index, scene in
      scene.flash = (9...11).contains(index) ? 0.3 : 0
      if index == 9 { scene.lit = 5..<9 }
      if index == 11 { scene.lit = 0..<5 }
    }
    #expect(burst?.flash == 10 && [7, 8, 12, 13].contains(burst?.ambient) && burst?.reason == .flash)
    let lamp = pair(20) { index, scene in
      scene.flash = index >= 9 ? 0.3 : 0
      if index == 9 { scene.lit = 3..<9 }
    }
    #expect(lamp?.ambient == 8 && lamp?.flash == 10)
    // One that never lights a whole frame is none.
    let short = pair(20) { index, scene in
      scene.flash = (9...10).contains(index) ? 0.3 : 0
      scene.lit = index == 9 ? 4..<9 : 0..<4
    }
    #expect(short == nil)
  }

  @Test func whatIsNoFlashIsNotFound() {
    #expect(pair(20) { _, _ in } == nil)
    // Cuts, to a brighter and to a darker scene.
    for room in [Float(0.01), 0.1, 0.3, 1] {
      for seed in 2..<12 {
        let cut = pair(20) { index, scene in
          if index >= 10 { (scene.seed, scene.room) = (UInt64(seed), room) }
        }
        #expect(cut == nil, "a cut to scene \(seed) of light \(room)")
      }
    }
    // Cuts to black and from it.
    #expect(pair(20) { index, scene in scene.room = index >= 10 ? 0 : 0.1 } == nil)
    #expect(pair(20) { index, scene in scene.room = index < 10 ? 0 : 0.1 } == nil)
    // A pan, a fade, flicker.
    #expect(pair(30) { index, scene in scene.shift = index } == nil)
    #expect(pair(30) { index, scene in scene.room = 0.02 + 0.02 * Float(index) } == nil)
    #expect(pair(30) { index, scene in scene.room = 0.1 + 0.05 * Float(min(max(index - 10, 0), 8)) } == nil)
    #expect(pair(30) { index, scene in scene.room = index % 2 == 0 ? 0.1 : 0.115 } == nil)
  }

  @Test func aFlashAmongCutsIsFound() {
    let found = pair(60) { index, scene in
      (scene.seed, scene.room) = (UInt64(index / 8 + 3), 0.05 * Float(index / 8 % 3 + 1))
      scene.flash = index == 36 ? 0.3 : 0
    }
    #expect(found?.flash == 36 && found?.reason == .flash)
  }

  @Test func aClippedFlashIsWorse() {
    let frames = (0..<30).map { index in
      Scene(flash: index == 10 || index == 20 ? 0.3 : 0).summary(index, clipped: index == 10 ? 0.4 : 0)
    }
    #expect(pair(frames)?.flash == 20)
    #expect(pair((0..<9).map { Scene(flash: $0 == 4 ? 0.3 : 0).summary($0, clipped: $0 == 4 ? 0.6 : 0) }) == nil)
  }

  @Test func theSharperFrameIsChosen() {
    let frames = (0..<20).map { index in
      Scene(flash: index >= 10 ? 0.3 : 0, noise: 0).summary(index, sharpness: index == 9 || index == 10 ? 0.2 : 1)
    }
    #expect(pair(frames)?.ambient == 8 && pair(frames)?.flash == 11)
  }

  @Test func formatsAreNotMixed() {
    var search = FlashPairSearch()
    for index in 0..<5 { search.add(Scene().summary(index)) }
    search.interrupt()
    for index in 5..<10 { search.add(Scene(flash: 0.3).summary(index)) }
    search.interrupt()
    #expect(search.best == nil)
  }

  /// Frames that were left out, as damaged ones are, are not neighbours.
  @Test func framesFarApartAreNoPair() {
    #expect(pair((0..<20).map { Scene(flash: $0 < 10 ? 0 : 0.3).summary($0 < 10 ? $0 : $0 + 5) }) == nil)
    #expect(pair((0..<20).map { Scene(flash: $0 < 10 ? 0 : 0.3).summary($0 < 10 ? $0 : $0 + 2) })?.flash == 12)
  }

  @Test func fewFramesAreKept() {
    var search = FlashPairSearch()
    for index in 0..<200 {
      search.add(Scene(flash: index == 50 ? 0.3 : 0).summary(index))
      #expect((0...index).count { search.mayChoose($0) } <= 2 * FlashPairSearch.reach + 4)
      #expect(search.mayChoose(index))
    }
    #expect(search.best?.flash == 50 && search.mayChoose(50))
  }
}
