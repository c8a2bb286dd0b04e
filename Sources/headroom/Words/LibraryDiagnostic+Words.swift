internal import Foundation
internal import Sessions

extension LibraryDiagnostic {
  /// One or two sentences.
  var words: String {
    switch self {
    case .isOfOneFilm(let parameter):
      "\(parameter.flag) is for a single film: omit it, or convert the films one by one."
    case .isNoFile(let name):
      "'\(name)' is neither a file nor a folder: with more than one input, or an output folder, every input must be one."
    case .isMissing(let name): "'\(name)' does not exist."
    case .isNoSuffix(let suffix): "'\(suffix)' cannot be a suffix: --suffix takes that of a container, such as mkv."
    case .isOfPictures(let suffix):
      "Many films cannot become pictures (.\(suffix)): give --suffix a video container such as mkv."
    case .hasNoSuffix(let format):
      "-f \(format) has no suffix for the outputs: add --suffix, or leave out -f."
    case .suffixIsOfAnother(let suffix, let format):
      "--suffix \(suffix) is not a suffix of -f \(format): leave one of them out."
    case .needsFolder(let name):
      name.isEmpty || name == "-"
        ? "More than one film needs a folder for the outputs: name it with -o FOLDER/."
        : "'\(name)' is not a folder, which more than one film needs for the outputs: end the name of a new one with /."
    case .isOutputFolder(let name): "The outputs would go into the input folder '\(name)': name another one with -o."
    case .cannotList(let folder, let reason): "Cannot read the folder '\(folder)': \(reason)."
    case .cannotMakeFolder(let folder, let reason): "Cannot create the folder '\(folder)': \(reason)."
    case .hasNoFilm(let inputs):
      "There are no files with video in \(inputs.map { "'\($0)'" }.joined(separator: ", ")), going by their suffixes: name such files explicitly."
    case .haveOneOutput(let one, let other, let output, let differByCase):
      "'\(one)' and '\(other)' would both become '\(output)'"
        + (differByCase
          ? ", but for upper and lower case or the form of accents, which not every file system tells apart" : "")
        + ": rename one, or convert them into different folders."
    case .wouldReplaceInput(let input, let output):
      "The output '\(output)' would replace the input '\(input)': name another folder with -o, or another --suffix."
    case .outputsExist(let name, let count):
      (count == 1 ? "'\(name)' already exists" : "'\(name)' and \(count - 1) more of the outputs already exist")
        + ": --skip-existing converts the rest, --overwrite converts all again."
    case .leavesOut(let folder): "Skipping '\(folder)': it is the output folder."
    case .leadsElsewhere(let folder):
      "Skipping '\(folder)': it is a link to a folder outside of the one that is searched. Name that folder to convert its films."
    case .waitsForOthers(let names):
      (names.count == 1
        ? "'\(names[0])' is being converted by another run" : "\(names.count) films are being converted by another run")
        + ": waiting for it to end."
    case .stopsForSpace(let folder): "'\(folder)' is full: no more films will be started."
    case .cannotStart(let program, let reason): "'\(program)' cannot be started: \(reason)."
    case .processEnded(let status):
      status > 128
        ? "The process that converted it was ended by signal \(status - 128) (\(unsafe String(cString: strsignal(status - 128))))."
        : "The process that converted it ended without a result (exit status \(status))."
    }
  }
}
