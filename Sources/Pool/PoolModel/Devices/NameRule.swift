/// The rule for names and types: any text that can be seen as it is, but not nothing.
enum NameRule {
    /// The most bytes of a name in UTF-8; a list of hundreds must still fit one transfer to a watch.
    static let byteCountMax = 256

    static func check(_ name: String, of thing: ConfigurationError.Thing) throws(ConfigurationError) {
        if isBlank(name) { throw .nameEmpty(thing) }
        if name.utf8.count > byteCountMax { throw .nameTooLong(thing, byteCount: name.utf8.count, limit: byteCountMax) }
        if let scalar = ControlCharacter.find(in: name) { throw .nameSteers(thing, scalar) }
    }

    /// Checks that nothing else of the kind has a name: a person names things by their names.
    ///
    /// Only the merge of two edits that knew nothing of each other can make two of the same name. Names in another case
    /// are other names.
    static func check(
        _ name: String, of thing: ConfigurationError.Thing, isFreeAmong others: [String]
    ) throws(ConfigurationError) {
        if others.contains(name) { throw .nameTaken(thing, name) }
    }

    static func checkType(_ type: String) throws(ConfigurationError) {
        let isUnfit = isBlank(type) || type.utf8.count > byteCountMax || ControlCharacter.find(in: type) != nil
        if isUnfit { throw .deviceTypeInvalid(type) }
    }

    private static func isBlank(_ text: String) -> Bool { text.allSatisfy(\.isWhitespace) }
}
