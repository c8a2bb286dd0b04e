extension Encoder {
  /// Writes a JSON object. Every key is present: nil becomes null.
  package func write(_ fields: KeyValuePairs<String, any Encodable>) throws {
    var values = container(keyedBy: FieldName.self)
    for (name, value) in fields { try values.encode(value, forKey: FieldName(stringValue: name)) }
  }
}

private struct FieldName: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }

  init?(intValue: Int) { nil }
}
