/// Which field of an interlaced frame was taken first; the top field has the rows 0, 2, 4, ...
public enum FieldOrder: Sendable, Hashable, CaseIterable {
  case topFirst, bottomFirst
}
