public import Frames

/// About how pictures are deinterlaced and cropped. Areas are those of the picture as the output shows it.
public enum GeometryDiagnostic: Sendable, Hashable, Codable {
  /// Black bars are looked for in a first pass.
  case looksForBars(name: String)
  /// Black bars were found: what is kept, of a picture of this size.
  case cropsBars(PictureArea, of: Size)
  /// Nothing is cropped, and why.
  case cropsNothing(NoCrop)
  /// The crop does not lie inside of the picture.
  case cropIsOutside(PictureArea, of: Size)
  /// The crop would cut chroma samples in two, or interchange fields: the multiples that are possible, and an area that
  /// is.
  case cropIsUneven(PictureArea, multiples: Size, byField: Bool, nearest: PictureArea)
  /// Deinterlacing was asked for, but the first pictures are progressive.
  case isProgressive(name: String)
}

/// Why looking for black bars has led to no crop.
public enum NoCrop: String, Sendable, Hashable, Codable, CaseIterable {
  /// Every edge of the picture is lit in some frame.
  case noBars
  /// Everything is black.
  case allBlack
  /// What is lit is smaller than any film.
  case tooSmall
}
