internal import ColorScience
internal import Frames

extension BT2111 {
  /// The ramp of the fourth row: one ten-bit code per column of a 1920-column picture.
  ///
  /// The widths of all published tables (10 and 12 bit; HD, UHD and 8K) follow from one line: the code at column x is
  /// 1920 x / width - 794 (full range: 790) ten-bit steps, rounded down to a whole code of the depth. The ramp begins
  /// with the first code above the lowest, and ends before the highest.
  /// Source: ITU-R BT.2111-2 (2020), table 4.
  struct Ramp: Sendable {
    let width: Int
    let scale: SampleScale

    /// HD columns before the column with code 0.
    private var origin: Int { scale.range == .narrow ? 794 : 790 }
    /// Codes per ten-bit step.
    private var step: Int { 1 << (scale.bitDepth - 10) }

    /// Returns the code at a column of the picture.
    func code(_ column: Int) -> Int {
      let codes = (1920 * column - origin * width) * step
      let code = codes >= 0 ? codes / width : -1
      return min(max(code, scale.videoCodes.lowerBound), scale.videoCodes.upperBound)
    }

    /// The columns between the lowest and the highest code.
    var columns: Range<Int> {
      column(of: scale.videoCodes.lowerBound + 1)..<column(of: scale.videoCodes.upperBound)
    }

    /// Returns the first column with this code or a higher one.
    private func column(of code: Int) -> Int {
      let (dividend, divisor) = ((code + origin * step) * width, 1920 * step)
      return (dividend + divisor - 1) / divisor
    }
  }
}
