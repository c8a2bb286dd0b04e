import Bitstreams
import Testing

@Suite struct PNGChunkTests {
  @Test func checksumIsThatOfTheStandard() {
    // The last bytes of every PNG file.
    #expect(PNGChunk("IEND", []).bytes == [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82])
  }
}
