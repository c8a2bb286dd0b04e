public import SIMDShims

/// The kernels of this tier: the only symbol visible to other modules.
@export(interface)
public func rowKernels() -> hr_row_kernels {
  unsafe hr_row_kernels(
    pieces: Int32(HR_PIECES),
    widen: { unsafe widenRow($0, to: $1, count: $2) },
    split: { unsafe splitRow($0, shift: Int($1), cb: $2, cr: $3, count: $4) },
    pick: { unsafe pickRow($0, step: Int($1), to: $2, count: $3) },
    upsample: { unsafe upsampleChromaRow($0, siting: $1, to: $2, count: $3) },
    linearize_ycbcr: { unsafe linearizeYCbCrRow($0, y: $1, cb: $2, cr: $3, to: $4, count: $5) },
    linearize_component: { unsafe linearizeComponentRow($0, $1, to: $2, count: $3) },
    levels: { unsafe levelRow($0, to: $1, count: $2) },
    scene_levels: { unsafe sceneLevelRow($0, $1, to: $2, count: $3) },
    tally: { unsafe tallyRow($0, in: $1, columns: $2, count: $3) },
    count_outside: { unsafe countOutsideRow($0, $1, count: $2) },
    luminance_gains: { unsafe luminanceGainRow($0, $1, to: $2, count: $3) },
    highlight: { unsafe highlightRow($0, $1, limits: $2, count: $3) },
    zones: { unsafe zoneRow($0, $1, to: $2, count: $3) },
    level_zones: { unsafe levelZoneRow($0, low: $1, high: $2, to: $3, count: $4) },
    add_outside: { unsafe addOutsideRow($0, $1, $2, to: $3, count: $4) },
    add_hues: { unsafe addHueRow($0, $1, $2, to: $3, count: $4) },
    paint: { unsafe paintRow($0, $1, $2, count: $3) },
    weigh: { unsafe weighRow($0, $1, to: $2, count: $3) },
    tally_levels: { unsafe tallyLevels($0, $1, stride: $2, rows: $3, in: $4, count: $5) },
    vector_bins: { unsafe vectorBinRow($0, $1, to: $2, count: $3) },
    chromaticity_bins: { unsafe chromaticityBinRow($0, $1, to: $2, sums: $3, count: $4) },
    tally_bins: { unsafe tallyBinRow($0, in: $1, count: $2) },
    map: { unsafe mapRow($0, $1, count: $2) },
    map_to_roots: { unsafe mapRow($0, $1, toRoots: $2, isFourth: $3 != 0, count: $4) },
    signal: { unsafe signalRow($0, $1, to: $2, count: $3) },
    component_signal: { unsafe componentSignalRow($0, $1, to: $2, count: $3) },
    reduce: { unsafe reduceRow($0, isCosited: $1 != 0, to: $2, count: $3) },
    reverse: { unsafe reverseRow($0, to: $1, count: $2) },
    transpose: { unsafe transposeRows($0, stride: $1, to: $2, stride: $3, columns: $4, rows: $5) },
    weigh_rows: { unsafe weighRows($0, stride: $1, weights: $2, rows: $3, to: $4, count: $5) },
    resample: { unsafe resampleRow($0, $1, to: $2, count: $3) },
    quantize8: { unsafe quantizeRow($0, $1, to: $2, count: $3) },
    quantize16: { unsafe quantizeRow($0, $1, to: $2, count: $3) })
}
