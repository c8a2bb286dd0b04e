package import Frames
internal import SIMDShims

extension LinearFrame {
  /// Fills `band` with rows of this frame rotated by `orientation`.
  @unsafe
  package func gather(_ orientation: Orientation, into band: LinearBand, tier: KernelTier) {
    let (planes, first) = unsafe (self.band(rows: 0..<size.height), band.row(0))
    let (sources, targets) = unsafe (planes.row(0).components, first.components)
    for unsafe(source, target) in unsafe zip(sources, targets) {
      if orientation.swapsAxes {
        unsafe gatherColumns(orientation, source, planes.stride, target, band, tier)
      } else {
        unsafe gatherRows(orientation, source, planes.stride, target, band, tier)
      }
    }
  }

  private func gatherRows(
    _ orientation: Orientation, _ source: UnsafeMutablePointer<Float16>, _ stride: Int,
    _ target: UnsafeMutablePointer<Float16>, _ band: LinearBand, _ tier: KernelTier
  ) {
    for index in unsafe 0..<band.height {
      let y = unsafe band.firstRow + index
      let row = unsafe source + (orientation.reversesRows ? size.height - 1 - y : y) * stride
      let result = unsafe target + index * band.stride
      if orientation.reversesColumns {
        unsafe tier.kernels.reverse(row, result, size.width)
      } else {
        unsafe result.update(from: row, count: size.width)
      }
    }
  }

  private func gatherColumns(
    _ orientation: Orientation, _ source: UnsafeMutablePointer<Float16>, _ stride: Int,
    _ target: UnsafeMutablePointer<Float16>, _ band: LinearBand, _ tier: KernelTier
  ) {
    // Columns are read from left to right; reversed ones are written from the last row up.
    let columns = unsafe band.height
    let end = unsafe band.firstRow + columns
    let firstColumn = unsafe orientation.reversesColumns ? size.width - end : band.firstRow
    let firstRow = orientation.reversesRows ? size.height - 1 : 0
    unsafe tier.kernels.transpose(
      source + (firstRow * stride + firstColumn), orientation.reversesRows ? -stride : stride,
      target + (orientation.reversesColumns ? (columns - 1) * band.stride : 0),
      orientation.reversesColumns ? -band.stride : band.stride, columns, size.height)
  }
}
