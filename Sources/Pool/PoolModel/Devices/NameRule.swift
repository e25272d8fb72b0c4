/// The rule for names and types: any text that is not empty, and of which all can be seen.
enum NameRule {
    /// The most bytes of a name in UTF-8; a list of hundreds must still fit into one transfer to a watch.
    static let byteCountMax = 256

    static func check(_ name: String, of thing: ConfigurationError.RecordKind) throws(ConfigurationError) {
        if isBlank(name) { throw .nameEmpty(thing) }
        if name.utf8.count > byteCountMax { throw .nameTooLong(thing, byteCount: name.utf8.count, limit: byteCountMax) }
        if let scalar = HiddenCharacter.find(in: name) { throw .nameSteers(thing, scalar) }
    }

    /// Checks that no other record of the kind has the name, because people refer to records by name.
    ///
    /// Names that look the same are the same; those that differ in case are different. Two equal names can only result
    /// from merging two concurrent edits, and from an author who may not be shown all records.
    static func check(
        _ name: String, of thing: ConfigurationError.RecordKind, isFreeAmong others: [String]
    ) throws(ConfigurationError) {
        if others.contains(where: { HiddenCharacter.looksAlike($0, name) }) { throw .nameTaken(thing, name) }
    }

    static func checkType(_ type: String) throws(ConfigurationError) {
        let isInvalid = isBlank(type) || type.utf8.count > byteCountMax || HiddenCharacter.find(in: type) != nil
        if isInvalid { throw .deviceTypeInvalid(type) }
    }

    private static func isBlank(_ text: String) -> Bool { text.allSatisfy(\.isWhitespace) }
}
