import Files
import Foundation
import TestSupport
import Testing

@Suite struct FileLocationTests {
  @Test(arguments: [
    ("a.mkv", ".", "a.mkv"), ("/a.mkv", "/", "a.mkv"), ("b/c/a.mkv", "b/c", "a.mkv"), ("b/", "b", ""), ("", ".", ""),
  ])
  func parts(_ path: String, _ folder: String, _ name: String) {
    let place = FileLocation(path)
    #expect(place.folder == folder && place.name == name)
  }

  /// Links to files that are there, that are not, and to themselves.
  @Test func linksAreFollowed() throws {
    let scratch = try Scratch()
    let folder = FileLocation.resolved(scratch.folder.path)
    try FileManager.default.createDirectory(atPath: scratch.path("real"), withIntermediateDirectories: true)
    func link(_ name: String, _ target: String) throws {
      try FileManager.default.createSymbolicLink(atPath: scratch.path(name), withDestinationPath: target)
    }
    try link("folder", "real")
    try link("missing", "folder/none.mkv")
    try link("chain", "missing")
    try link("round", "round")
    #expect(FileLocation.resolved(scratch.path("folder/x.mkv")) == folder + "/real/x.mkv")
    #expect(FileLocation.resolved(scratch.path("chain")) == folder + "/real/none.mkv")
    #expect(FileLocation.resolved(scratch.path("round")) == folder + "/round")
    #expect(Set(FileLocation.names(in: scratch.folder.path) ?? []) == ["real", "folder", "missing", "chain", "round"])
  }
}
