/// The rule for names and types: any visible text that is not empty.
enum NameRule {
    /// The most bytes of a name in UTF-8; a list of hundreds must still fit into one transfer to a watch.
    static let byteCountMax = 256

    static func check(_ name: String, of thing: ConfigurationError.RecordKind) throws(ConfigurationError) {
        if isBlank(name) { throw .nameEmpty(thing) }
        if name.utf8.count > byteCountMax { throw .nameTooLong(thing, byteCount: name.utf8.count, limit: byteCountMax) }
        if let scalar = ControlCharacter.find(in: name) { throw .nameSteers(thing, scalar) }
    }

    /// Checks that no other record of the kind has the name, because people refer to records by name.
    ///
    /// Two equal names can only result from merging two concurrent edits. Names that differ in case are different.
    static func check(
        _ name: String, of thing: ConfigurationError.RecordKind, isFreeAmong others: [String]
    ) throws(ConfigurationError) {
        if others.contains(name) { throw .nameTaken(thing, name) }
    }

    static func checkType(_ type: String) throws(ConfigurationError) {
        let isInvalid = isBlank(type) || type.utf8.count > byteCountMax || ControlCharacter.find(in: type) != nil
        if isInvalid { throw .deviceTypeInvalid(type) }
    }

    private static func isBlank(_ text: String) -> Bool { text.allSatisfy(\.isWhitespace) }
}
