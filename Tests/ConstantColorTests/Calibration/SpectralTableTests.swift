import ConstantColor
import Testing

@Suite struct SpectralTableTests {
  private static func table(_ change: (inout [String]) -> Void) -> String {
    var lines = ["wavelength,power"] + (40...70).map { "\(10 * $0),\(Double($0) / 10)" }
    change(&lines)
    return lines.joined(separator: "\n")
  }

  @Test func reads() throws {
    let table = try SpectralTable(
      csv: "\u{FEFF}# a lamp\n\n" + Self.table { $0[3] = " 420 , \"4.25\" " } + "\n\n", columns: 1)
    #expect(table.wavelengths.count == 31)
    #expect(table.columns[0][2] == 4.25)
  }

  @Test(arguments: [
    (3, "420,1,2", CalibrationError.line(4, .columns, of: .flash)),
    (3, "420", CalibrationError.line(4, .columns, of: .flash)),
    (3, "420,x", CalibrationError.line(4, .number, of: .flash)),
    (3, "420,", CalibrationError.line(4, .number, of: .flash)),
    (3, "420,nan", CalibrationError.line(4, .range, of: .flash)),
    (3, "420,inf", CalibrationError.line(4, .range, of: .flash)),
    (3, "420,-1", CalibrationError.line(4, .range, of: .flash)),
    (3, "0.42,1", CalibrationError.line(4, .range, of: .flash)),
    (3, "410,1", CalibrationError.line(4, .order, of: .flash)),
    (3, "# 420", nil),
  ])
  func namesTheWrongLine(_ index: Int, _ line: String, _ error: CalibrationError?) throws {
    let csv = Self.table { $0[index] = line }
    guard let error else {
      #expect(try SpectralTable(csv: csv, columns: 1).wavelengths.count == 30)
      return
    }
    #expect(throws: error) { try SpectralTable(csv: csv, columns: 1) }
  }

  @Test func coversVisibleLight() {
    for remove in [1..<2, 31..<32, 10..<12, 1..<32] {
      let csv = Self.table { $0.removeSubrange(remove) }
      #expect(throws: CalibrationError.wavelengths(of: .flash)) { try SpectralTable(csv: csv, columns: 1) }
    }
    #expect(throws: CalibrationError.wavelengths(of: .flash)) { try SpectralTable(csv: "", columns: 1) }
  }

  @Test func hasLight() {
    let dark = (40...70).map { "\(10 * $0),1,0,1" }.joined(separator: "\n")
    #expect(throws: CalibrationError.emptyColumn(2, of: .camera)) { try SpectralTable(csv: dark, columns: 3) }
    let long = String(repeating: "# long\n", count: 200_000)
    #expect(throws: CalibrationError.tooLarge(byteCount: 1_400_000)) { try SpectralTable(csv: long, columns: 3) }
  }
}
