import PoolModel

/// JSON for programs.
package enum JSONText {
    /// The value as one line.
    package static func line(_ value: some Encodable) throws -> String { try CanonicalJSON.output(value) }

    /// The value over several lines.
    package static func pretty(_ value: some Encodable) throws -> String {
        try CanonicalJSON.output(value, isPretty: true)
    }
}
