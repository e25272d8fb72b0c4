import Text

/// JSON for programs.
package enum JSONText {
    /// The value as one line.
    package static func line(_ value: some Encodable) throws -> String { try CanonicalJSON.output(value) }

    /// The value over several lines.
    package static func pretty(_ value: some Encodable) throws -> String {
        try CanonicalJSON.output(value, isPretty: true)
    }

    /// A value on one line for another process of this package, which decodes it: times are milliseconds.
    ///
    /// - Throws: `CanonicalJSON.Failure` as for ``line(_:)``.
    package static func message(_ value: some Encodable) throws -> String {
        String(decoding: try CanonicalJSON.encode(value), as: UTF8.self)
    }
}
