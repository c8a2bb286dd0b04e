internal import RowKernels
package import SIMDShims

#if arch(x86_64)
  internal import RowKernelsAVX2
#endif

// Every kernel once per tier. The call is decided per row; inside a row nothing is decided.

extension KernelTier {
  package func widen(_ source: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<UInt16>, count: Int) {
    switch self {
    case .baseline: unsafe RowKernels.widenRow(source, to: target, count: count)
    #if arch(x86_64)
      case .avx2: unsafe RowKernelsAVX2.widenRow(source, to: target, count: count)
    #endif
    }
  }

  package func split(
    _ source: UnsafePointer<UInt16>, shift: UInt16, cb: UnsafeMutablePointer<UInt16>,
    cr: UnsafeMutablePointer<UInt16>, count: Int
  ) {
    switch self {
    case .baseline: unsafe RowKernels.splitRow(source, shift: shift, cb: cb, cr: cr, count: count)
    #if arch(x86_64)
      case .avx2: unsafe RowKernelsAVX2.splitRow(source, shift: shift, cb: cb, cr: cr, count: count)
    #endif
    }
  }

  package func blendChroma(
    _ above: UnsafePointer<UInt16>, _ below: UnsafePointer<UInt16>, weights: (UInt16, UInt16),
    to target: UnsafeMutablePointer<UInt16>, count: Int
  ) {
    switch self {
    case .baseline: unsafe RowKernels.blendChromaRows(above, below, weights: weights, to: target, count: count)
    #if arch(x86_64)
      case .avx2: unsafe RowKernelsAVX2.blendChromaRows(above, below, weights: weights, to: target, count: count)
    #endif
    }
  }

  package func spreadChroma(
    _ source: UnsafePointer<UInt16>, even: SIMD4<UInt16>, odd: SIMD4<UInt16>,
    to target: UnsafeMutablePointer<UInt16>, count: Int
  ) {
    switch self {
    case .baseline: unsafe RowKernels.spreadChromaRow(source, even: even, odd: odd, to: target, count: count)
    #if arch(x86_64)
      case .avx2: unsafe RowKernelsAVX2.spreadChromaRow(source, even: even, odd: odd, to: target, count: count)
    #endif
    }
  }

  package func linearizeYCbCr(
    _ p: UnsafePointer<hr_linearization>, y: UnsafePointer<UInt16>, cb: UnsafePointer<UInt16>,
    cr: UnsafePointer<UInt16>, to light: LinearBand.Row, count: Int
  ) {
    switch self {
    case .baseline:
      unsafe RowKernels.linearizeYCbCrRow(
        p, y: y, cb: cb, cr: cr, red: light.red, green: light.green, blue: light.blue, count: count)
    #if arch(x86_64)
      case .avx2:
        unsafe RowKernelsAVX2.linearizeYCbCrRow(
          p, y: y, cb: cb, cr: cr, red: light.red, green: light.green, blue: light.blue, count: count)
    #endif
    }
  }

  package func linearizeComponent(
    _ p: UnsafePointer<hr_linearization>, _ source: UnsafePointer<UInt16>,
    to target: UnsafeMutablePointer<Float16>, count: Int
  ) {
    switch self {
    case .baseline: unsafe RowKernels.linearizeComponentRow(p, source, to: target, count: count)
    #if arch(x86_64)
      case .avx2: unsafe RowKernelsAVX2.linearizeComponentRow(p, source, to: target, count: count)
    #endif
    }
  }

  package func map(_ p: UnsafePointer<hr_mapping>, _ light: LinearBand.Row, count: Int) {
    switch self {
    case .baseline:
      unsafe RowKernels.mapRow(p, red: light.red, green: light.green, blue: light.blue, count: count)
    #if arch(x86_64)
      case .avx2:
        unsafe RowKernelsAVX2.mapRow(p, red: light.red, green: light.green, blue: light.blue, count: count)
    #endif
    }
  }

  package func map(
    _ p: UnsafePointer<hr_mapping>, _ light: LinearBand.Row, to target: FloatRow, count: Int
  ) {
    switch self {
    case .baseline:
      unsafe RowKernels.mapRow(
        p, red: light.red, green: light.green, blue: light.blue, toRed: target.red, toGreen: target.green,
        toBlue: target.blue, count: count)
    #if arch(x86_64)
      case .avx2:
        unsafe RowKernelsAVX2.mapRow(
          p, red: light.red, green: light.green, blue: light.blue, toRed: target.red, toGreen: target.green,
          toBlue: target.blue, count: count)
    #endif
    }
  }

  package func signal(
    _ p: UnsafePointer<hr_signal>, _ light: FloatRow, y: UnsafeMutablePointer<Float>,
    cb: UnsafeMutablePointer<Float>, cr: UnsafeMutablePointer<Float>, count: Int
  ) {
    switch self {
    case .baseline:
      unsafe RowKernels.signalRow(
        p, red: light.red, green: light.green, blue: light.blue, y: y, cb: cb, cr: cr, count: count)
    #if arch(x86_64)
      case .avx2:
        unsafe RowKernelsAVX2.signalRow(
          p, red: light.red, green: light.green, blue: light.blue, y: y, cb: cb, cr: cr, count: count)
    #endif
    }
  }

  package func average(
    _ above: UnsafePointer<Float>, _ below: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>, count: Int
  ) {
    switch self {
    case .baseline: unsafe RowKernels.averageRows(above, below, to: target, count: count)
    #if arch(x86_64)
      case .avx2: unsafe RowKernelsAVX2.averageRows(above, below, to: target, count: count)
    #endif
    }
  }

  package func average(
    _ above: UnsafePointer<Float>, _ middle: UnsafePointer<Float>, _ below: UnsafePointer<Float>,
    to target: UnsafeMutablePointer<Float>, count: Int
  ) {
    switch self {
    case .baseline: unsafe RowKernels.averageRows(above, middle, below, to: target, count: count)
    #if arch(x86_64)
      case .avx2: unsafe RowKernelsAVX2.averageRows(above, middle, below, to: target, count: count)
    #endif
    }
  }

  package func halve(
    _ row: UnsafeMutablePointer<Float>, isCosited: Bool, to target: UnsafeMutablePointer<Float>, count: Int
  ) {
    switch self {
    case .baseline: unsafe RowKernels.halveRow(row, isCosited: isCosited, to: target, count: count)
    #if arch(x86_64)
      case .avx2: unsafe RowKernelsAVX2.halveRow(row, isCosited: isCosited, to: target, count: count)
    #endif
    }
  }

  package func quantize(
    _ p: hr_quantization, _ values: UnsafePointer<Float>, to target: UnsafeMutablePointer<UInt8>, count: Int
  ) {
    switch self {
    case .baseline: unsafe RowKernels.quantizeRow(p, values, to: target, count: count)
    #if arch(x86_64)
      case .avx2: unsafe RowKernelsAVX2.quantizeRow(p, values, to: target, count: count)
    #endif
    }
  }

  package func quantize(
    _ p: hr_quantization, _ values: UnsafePointer<Float>, to target: UnsafeMutablePointer<UInt16>, count: Int
  ) {
    switch self {
    case .baseline: unsafe RowKernels.quantizeRow(p, values, to: target, count: count)
    #if arch(x86_64)
      case .avx2: unsafe RowKernelsAVX2.quantizeRow(p, values, to: target, count: count)
    #endif
    }
  }
}
