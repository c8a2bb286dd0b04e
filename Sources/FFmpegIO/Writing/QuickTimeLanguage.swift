/// Language codes of QuickTime files, as FFmpeg 5.1 writes them.
enum QuickTimeLanguage {
  /// Codes missing from QuickTime's table, and the table's code for the same language: it has either the bibliographic
  /// or the terminological code. Swedish is misspelled in FFmpeg's copy of the table.
  ///
  /// Sources: ISO 639-2, synonyms; QuickTime File Format Specification, "Language Code Values".
  private static let synonyms = [
    "cze": "ces", "nld": "dut", "fre": "fra", "deu": "ger", "ell": "gre", "isl": "ice", "mkd": "mac", "hye": "arm",
    "kat": "geo", "eus": "baq", "mya": "bur", "zho": "chi", "sqi": "alb", "msa": "may", "fas": "per", "rum": "ron",
    "slo": "slk", "bod": "tib", "cym": "wel", "swe": "sve",
  ]

  /// The code that is written for a language.
  static func code(_ language: String) -> String { synonyms[language] ?? language }
}
