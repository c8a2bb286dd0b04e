import ColorScience
import FFmpegIO
import Foundation
import Frames
import Media
import TestSupport
import Testing

@Suite struct PhotoProfileTests {
  @Test(.enabled(if: !Clip.all.isEmpty)) func profilesOfPhotosAreRead() throws {
    for file in ["golden_androidx_hlg10-color-test_frame0_ultrahdr.jpg", "still_ultrahdr_photo.jpg"] {
      let reader = try MediaReader(url: Clip.folder.appendingPathComponent(file).path)
      let color = try #require(try reader.readFrame()).color
      #expect(color.primaries == .bt709 || color.primaries == .displayP3)
      #expect(color.transfer == .sRGB)
      #expect(reader.statistics.unrecognizedProfile == nil)
    }
  }
}
