import Foundation
import ColorScience
import Frames
import Patterns
import TestSupport
import Testing

@Suite struct PatternLightTests {
  private static func drawing(_ signal: PatternSignal, _ size: Size, background: SIMD3<Double> = .zero)
    -> PatternDrawing
  {
    PatternDrawing(PatternCanvas(size: size, signal: signal), background: background)
  }

  /// A quarter of the frame at code 723 of ten bit, narrow (the code of 1000 cd/m²), the rest at black.
  @Test func windowsAreCountedByHand() {
    let signal = PatternSignal(.hdr10)
    var drawing = Self.drawing(signal, Size(width: 200, height: 100))
    drawing.elements = [.init(PictureArea(x: 50, y: 25, width: 100, height: 50), .flat(signal.gray(nits: 1000)))]
    var light = PatternLight(signal)
    light.add(PatternPainter(drawing))
    let nits = PQ.eotf((723.0 - 64) / 876)
    #expect(abs(nits - 1000) < 5)
    #expect(light.maxCLL == nits)
    #expect(abs(light.maxFALL - nits / 4) < 1e-9)
  }

  @Test func codesBeyondThePictureAreLimited() {
    let signal = PatternSignal(.hdr10)
    var (light, below) = (PatternLight(signal), PatternLight(signal))
    light.add(PatternPainter(Self.drawing(signal, Size(width: 64, height: 64), background: SIMD3(1.05, 0, 0))))
    below.add(PatternPainter(Self.drawing(signal, Size(width: 64, height: 64), background: SIMD3(-0.05, 0, 0))))
    #expect(light.maxCLL == 10_000 && light.contentLight == ContentLight(maxCLL: 10_000, maxFALL: 10_000))
    #expect(below.maxCLL == 0 && below.maxFALL == 0)
  }

  @Test func theBrightestFrameCounts() {
    let signal = PatternSignal(.sdr, bitDepth: 8)
    var light = PatternLight(signal)
    for level in [0.2, 1, 0.5] {
      light.add(PatternPainter(Self.drawing(signal, Size(width: 64, height: 65), background: SIMD3(0, level, 0))))
    }
    #expect(abs(light.maxCLL - 100) < 1e-9 && abs(light.maxFALL - 100) < 1e-9)
  }

  /// Numpy counts the codes that the frame has.
  @Test(arguments: [PatternSignal(.hdr10), PatternSignal(.hdr10, range: .full, bitDepth: 12), PatternSignal(.hlg)])
  func numpyCountsTheSame(_ signal: PatternSignal) throws {
    let size = Size(width: 77, height: 131)
    let painter = PatternPainter(PatternPainterTests.drawing(size))
    let frame = CodedFrame(
      size: size, layout: PixelLayout(.rgb, bitDepth: signal.bitDepth),
      color: ColorDescription(primaries: signal.primaries, transfer: signal.transfer, matrix: .rgb, range: signal.range)
    )
    painter.paint(into: frame)
    let scratch = try Scratch()
    let path = scratch.path("codes")
    let text = frame.samples.map { $0.map(String.init).joined(separator: " ") }.joined(separator: "\n")
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    let result = try Python.run(
      Self.judge, [path, "\(signal.kind)", "\(signal.scale.lumaOffset)", "\(signal.scale.lumaScale)"])
    let numbers = result.split(separator: " ").compactMap { Double($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
    for threads in [1, 4] {
      var light = PatternLight(signal)
      light.add(painter, threads: threads)
      #expect(abs(light.maxCLL / numbers[0] - 1) < 1e-9)
      #expect(abs(light.maxFALL / numbers[1] - 1) < 1e-9)
    }
  }

  /// ST 2084 and BT.2100 as they are printed; the annex takes the mean of max(R, G, B).
  private static let judge = """
    import sys, numpy as np
    g, b, r = np.loadtxt(sys.argv[1])
    v = (np.array([r, g, b]) - float(sys.argv[3])) / float(sys.argv[4])
    if sys.argv[2] == 'hdr10':
        p = np.clip(v, 0, 1) ** (32 / 2523)
        x = 10000 * (np.maximum(p - 107 / 128, 0) / (2413 / 128 - 2392 / 128 * p)) ** (8192 / 1305)
    else:
        v, a = np.maximum(v, 0), 0.17883277
        c = 0.5 - a * np.log(4 * a)
        s = np.where(v <= 0.5, v * v / 3, (np.exp((v - c) / a) + 1 - 4 * a) / 12)
        y = 0.2627 * s[0] + 0.6780 * s[1] + 0.0593 * s[2]
        x = 1000 * y ** 0.2 * s
    m = x.max(axis=0)
    print(repr(float(m.max())), repr(float(m.mean())))
    """
}
