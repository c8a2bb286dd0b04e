// Blocks of half floats whose rows become columns, and rows that change direction. Elements are moved as words.
#pragma once

typedef uint16_t hr_u16x8 __attribute__((ext_vector_type(8)));

/// One round of three: rows k and k + 4, element by element in turn.
HR_INLINE void hr_interleave_rows(const hr_u16x8 rows[8], hr_u16x8 result[8]) {
  for (int k = 0; k < 4; k++) {
    result[2 * k] = __builtin_shufflevector(rows[k], rows[k + 4], 0, 8, 1, 9, 2, 10, 3, 11);
    result[2 * k + 1] = __builtin_shufflevector(rows[k], rows[k + 4], 4, 12, 5, 13, 6, 14, 7, 15);
  }
}

/// Eight by eight elements: (column, row) of `source` to (row, column) of `target`.
HR_INLINE void hr_transpose_8x8(const _Float16 *source, long source_stride, _Float16 *target, long target_stride) {
  hr_u16x8 a[8], b[8];
  for (int k = 0; k < 8; k++) memcpy(&a[k], source + k * source_stride, sizeof a[k]);
  hr_interleave_rows(a, b);
  hr_interleave_rows(b, a);
  hr_interleave_rows(a, b);
  for (int k = 0; k < 8; k++) memcpy(target + k * target_stride, &b[k], sizeof b[k]);
}

/// Eight elements from right to left.
HR_INLINE void hr_reverse_8(const _Float16 *source, _Float16 *target) {
  hr_u16x8 a;
  memcpy(&a, source, sizeof a);
  a = __builtin_shufflevector(a, a, 7, 6, 5, 4, 3, 2, 1, 0);
  memcpy(target, &a, sizeof a);
}
