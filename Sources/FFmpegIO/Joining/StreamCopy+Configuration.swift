internal import CFFmpeg
internal import Media

extension StreamCopy {
  /// Whether pictures of another stream can follow those of this one under one configuration of the decoder.
  ///
  /// Parameter sets must be equal. Messages beside them may differ: x265 writes its options there, which name threads.
  public func hasSameConfiguration(as other: StreamCopy) -> Bool {
    let (own, their) = unsafe (parameters.pointee, other.parameters.pointee)
    guard unsafe own.codec_id == their.codec_id, unsafe own.width == their.width, unsafe own.height == their.height,
      unsafe own.format == their.format, unsafe own.profile == their.profile
    else { return false }
    return parameterSets == other.parameterSets
  }

  /// The parts of the configuration that decoders depend on.
  private var parameterSets: [[UInt8]] {
    let (base, count) = unsafe (parameters.pointee.extradata, Int(max(0, parameters.pointee.extradata_size)))
    let bytes = unsafe base.map { unsafe [UInt8](UnsafeBufferPointer(start: $0, count: count)) } ?? []
    guard unsafe parameters.pointee.codec_id == AV_CODEC_ID_HEVC, let sets = Self.parameterSetsOfHEVC(bytes) else {
      return [bytes]
    }
    return sets
  }

  /// VPS, SPS and PPS are 32 to 34. Source: ISO/IEC 14496-15, 8.3.3.1.2; ISO/IEC 23008-2, table 7-1.
  private static func parameterSetsOfHEVC(_ record: [UInt8]) -> [[UInt8]]? {
    guard record.count > 22, record[0] == 1 else { return nil }
    var sets = [Array(record[..<22])]
    var position = 23
    func number(_ place: Int) -> Int? {
      place + 1 < record.count ? Int(record[place]) << 8 | Int(record[place + 1]) : nil
    }
    for _ in 0..<record[22] {
      guard let count = number(position + 1) else { return nil }
      let type = record[position] & 0x3F
      position += 3
      for _ in 0..<count {
        guard let length = number(position), position + 2 + length <= record.count else { return nil }
        if (32...34).contains(type) { sets.append(Array(record[position + 2..<position + 2 + length])) }
        position += 2 + length
      }
    }
    return sets
  }
}
