/// About a library whose films are converted.
public enum LibraryDiagnostic: Sendable, Hashable, Codable {
  /// A parameter names a file that is of one film.
  case isOfOneFilm(Parameter)
  /// An input that is neither a file nor a folder.
  case isNoFile(name: String)
  /// There is no file or folder of this name.
  case isMissing(name: String)
  /// Something that cannot be the end of a file's name.
  case isNoSuffix(String)
  /// The suffix is that of pictures.
  case isOfPictures(suffix: String)
  /// The container has no suffix of its own, or no files.
  case hasNoSuffix(format: String)
  /// The suffix is that of another container than the one that is asked for, by FFmpeg's name.
  case suffixIsOfAnother(suffix: String, format: String)
  /// The output of many films has to be a folder.
  case needsFolder(name: String)
  /// A folder that is read is the one that is written to.
  case isOutputFolder(name: String)
  /// A folder cannot be read, and why.
  case cannotList(folder: String, reason: String)
  /// A folder cannot be made, and why.
  case cannotMakeFolder(folder: String, reason: String)
  /// There are no files with video.
  case hasNoFilm(inputs: [String])
  /// Two inputs would have one output; `differByCase`: their outputs differ in nothing else.
  case haveOneOutput(String, String, output: String, differByCase: Bool)
  /// An output would replace an input.
  case wouldReplaceInput(input: String, output: String)
  /// Outputs exist, and nothing says what to do with them: the first, and their number.
  case outputsExist(name: String, count: Int)
  /// A folder within an input is not read, because it is the one that is written to.
  case leavesOut(folder: String)
  /// A link in a folder that is searched leads to a folder outside, which is not searched.
  case leadsElsewhere(folder: String)
  /// Another run writes the outputs of films with these names.
  case waitsForOthers([String])
  /// No space is left: no other film is begun.
  case stopsForSpace(folder: String)
  /// The process of a film could not be started, and why.
  case cannotStart(program: String, reason: String)
  /// The process of a film has ended without a result: its exit status, or 128 and a signal.
  case processEnded(status: Int32)
}
