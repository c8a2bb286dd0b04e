import ColorScience
import Frames
import Testing

/// Code values of shared planes, apart; and margins.
@Suite struct PlanesTests {
  private static let layouts =
    [8, 10].flatMap { depth in
      [
        PixelLayout(.ycbcr420, bitDepth: depth, packing: .semiplanar),
        PixelLayout(.ycbcr422, bitDepth: depth, packing: .semiplanar),
        PixelLayout(.ycbcr422, bitDepth: depth, packing: .yuyv),
      ]
    } + [
      PixelLayout(.ycbcr422, bitDepth: 8, packing: .uyvy), PixelLayout(.rgb, bitDepth: 8, packing: .rgb),
      PixelLayout(.rgb, bitDepth: 8, packing: .bgr), PixelLayout(.rgb, bitDepth: 8, packing: .rgbx),
      PixelLayout(.rgb, bitDepth: 8, packing: .bgrx), PixelLayout(.rgb, bitDepth: 8, packing: .xrgb),
      PixelLayout(.ycbcr420, bitDepth: 10), PixelLayout(.gray, bitDepth: 10),
    ]

  @Test(arguments: layouts) func componentsGetPlanesOfTheirOwn(_ layout: PixelLayout) {
    let frame = CodedFrame(size: Size(width: 14, height: 6), layout: layout, color: .bt709)
    var number = 1
    for plane in 0..<layout.planeCount {
      let size = layout.planeSize(plane, of: frame.size)
      for y in 0..<size.height {
        for x in 0..<size.width {
          number = (number * 37 + 11) % (1 << layout.bitDepth)
          frame.setSample(number << layout.sampleShift, plane: plane, x: x, y: y)
        }
      }
    }
    let planar = frame.planar
    #expect(planar.layout == layout.planar && planar.color == frame.color)
    for component in 0..<planar.layout.planeCount {
      let (place, size) = (layout.place(of: component), planar.layout.planeSize(component, of: frame.size))
      for y in 0..<size.height {
        for x in 0..<size.width {
          let sample = frame.sample(plane: place.plane, x: place.first + place.step * x, y: y) >> layout.sampleShift
          #expect(planar.sample(plane: component, x: x, y: y) == sample)
        }
      }
    }
    #expect((planar === frame) == (layout.packing == .planar))
  }

  @Test func marginsAreBlack() {
    for (layout, range) in [
      (PixelLayout(.ycbcr420, bitDepth: 10), VideoRange.narrow), (PixelLayout(.ycbcr422, bitDepth: 8), .full),
      (PixelLayout(.rgb, bitDepth: 8), .narrow),
    ] {
      var color = ColorDescription.bt709
      color.range = range
      let frame = CodedFrame(size: Size(width: 16, height: 12), layout: layout, color: color)
      for plane in 0..<3 {
        let size = layout.planeSize(plane, of: frame.size)
        for y in 0..<size.height { for x in 0..<size.width { frame.setSample(77, plane: plane, x: x, y: y) } }
      }
      frame.fillBlack(outside: PictureArea(x: 4, y: 2, width: 8, height: 6))
      let scale = SampleScale(bitDepth: layout.bitDepth, range: range)
      for plane in 0..<3 {
        let isChroma = plane > 0 && layout.components != .rgb
        let (shiftX, shiftY) = isChroma ? (layout.chromaShiftX, layout.chromaShiftY) : (0, 0)
        let black = Int(isChroma ? scale.chromaOffset : scale.lumaOffset)
        let size = layout.planeSize(plane, of: frame.size)
        for y in 0..<size.height {
          for x in 0..<size.width {
            let isInside = (4 >> shiftX..<12 >> shiftX).contains(x) && (2 >> shiftY..<8 >> shiftY).contains(y)
            #expect(frame.sample(plane: plane, x: x, y: y) == (isInside ? 77 : black))
          }
        }
      }
    }
  }

  @Test func pixelsBecomeSquaresOfFour() {
    let frame = CodedFrame(size: Size(width: 3, height: 2), layout: PixelLayout(.rgb, bitDepth: 10), color: .bt709)
    for plane in 0..<3 {
      for y in 0..<2 { for x in 0..<3 { frame.setSample(100 * plane + 10 * y + x, plane: plane, x: x, y: y) } }
    }
    let doubled = frame.doubled()
    #expect(doubled.size == Size(width: 6, height: 4))
    for plane in 0..<3 {
      for y in 0..<4 {
        for x in 0..<6 {
          #expect(doubled.sample(plane: plane, x: x, y: y) == frame.sample(plane: plane, x: x / 2, y: y / 2))
        }
      }
    }
  }

  @Test func bytesOfAFrame() {
    func bytes(_ layout: PixelLayout) -> Int {
      PixelFormat(size: Size(width: 1920, height: 1080), layout: layout, color: .bt709).byteCount
    }
    #expect(bytes(PixelLayout(.ycbcr420, bitDepth: 10, packing: .semiplanar)) == 1920 * 1080 * 3)
    #expect(bytes(PixelLayout(.rgb, bitDepth: 8, packing: .bgrx)) == 1920 * 1080 * 4)
    #expect(bytes(PixelLayout(.ycbcr422, bitDepth: 8)) == 1920 * 1080 * 2)
  }
}
