import FFmpegIO
import Frames
import Media
import TestSupport
import Testing

/// What a container shows of coded pictures is what a reader delivers, in the right shape.
@Suite struct CleanApertureTests {
  @Test(arguments: ["pixelcrop_displayheight.mkv", "clap.mp4"]) func cropsToWhatIsShown(_ name: String) throws {
    guard let path = Case.path(name) else { return }
    let reader = try MediaReader(url: path)
    let frame = try #require(try reader.readFrame())
    #expect(frame.size == Size(width: 640, height: 280))
    #expect(reader.video.size == frame.size)
    #expect(reader.video.sampleAspectRatio ?? Rational(1, 1) == Rational(1, 1))
    #expect(reader.notes == ["The container shows 640x280+0+40 of pictures of 640x360, which are cropped to it."])
  }
}
