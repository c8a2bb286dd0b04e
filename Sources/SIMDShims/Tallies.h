// Pixels counted in bins, and the levels that they are counted by.
#pragma once

enum {
  /// Pixels of a row that are counted from the top to the bottom of a band before the next: the bins of their columns
  /// stay in the first-level cache.
  HR_TALLY_TILE = 32,
  /// Bins along each axis of a plane, as a power of two.
  HR_PLANE_BITS = 9,
};

/// Adds a pixel to the bin of its level in its column.
HR_INLINE void hr_tally_level(hr_column_tally p, const uint16_t *halves, long x, uint16_t *bins) {
  bins[p.offsets[x] + p.levels[halves[x]]]++;
}

/// The same of sixteen pixels, four by four of one column each. Columns take turns, as a bin that has just been written
/// is slow to be read.
HR_INLINE void hr_tally_four_columns(hr_column_tally p, const uint16_t *halves, long x, uint16_t *bins) {
  uint16_t *columns[4];
  for (int c = 0; c < 4; c++) columns[c] = bins + p.offsets[x + 4 * c];
  for (int k = 0; k < 4; k++)
    for (int c = 0; c < 4; c++) columns[c][p.levels[halves[x + 4 * c + k]]]++;
}

/// Fetches the bin of a pixel that is counted soon.
HR_INLINE void hr_fetch_level(hr_column_tally p, const uint16_t *halves, long x, uint16_t *bins) {
  __builtin_prefetch(bins + p.offsets[x] + p.levels[halves[x]], 1);
}

/// Adds four pixels to their bins, in one step where the bins are one.
HR_INLINE void hr_tally_four_bins(const uint32_t *indices, uint32_t *bins) {
  uint64_t low, high;
  memcpy(&low, indices, sizeof low);
  memcpy(&high, indices + 2, sizeof high);
  if (low == high && (uint32_t)low == low >> 32) {
    bins[indices[0]] += 4;
  } else {
    for (int k = 0; k < 4; k++) bins[indices[k]]++;
  }
}

/// `table[bits]` of sixteen halves, any bits.
HR_INLINE hr_f32x16 hr_look_up_halves(const float *table, const uint16_t *halves) {
  hr_f32x16 r;
#pragma clang loop unroll(full)
  for (int k = 0; k < 16; k++) r[k] = table[halves[k]];
  return r;
}

HR_INLINE void hr_store_u32(uint32_t *p, hr_u32x16 v) { memcpy(p, &v, sizeof v); }
