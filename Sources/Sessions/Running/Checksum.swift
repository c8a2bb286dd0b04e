internal import Foundation
package import Frames
package import Media

/// 64-bit FNV-1a of a value's JSON with sorted keys, in hexadecimal.
package enum Checksum {
  package static func of(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let hash = try encoder.encode(value).reduce(0xcbf2_9ce4_8422_2325 as UInt64) { hash, byte in
      (hash ^ UInt64(byte)) &* 0x100_0000_01b3
    }
    return String(hash, radix: 16)
  }

  /// Returns the checksum of a container's metadata, its size in bytes included, and of the metadata of the first frame
  /// read: a plan is valid only for this input.
  package static func of(_ reader: any MediaInput, _ first: CodedFrame) throws -> String {
    struct Input: Encodable {
      let info: MediaInfo
      let metadata: HDRMetadata
    }
    return try of(Input(info: reader.info, metadata: first.metadata))
  }
}
