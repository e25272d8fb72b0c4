/// Why a file of runs cannot be read.
package enum SmallFixtureError: Error, Hashable, Sendable {
    /// The line, from 1, and what is wrong with it.
    case line(Int, String)
}

extension SmallFixtureError: CustomStringConvertible {
    /// The line, and what is wrong with it.
    package var description: String {
        switch self {
        case .line(let number, let words): "line \(number): \(words)"
        }
    }
}

extension SmallOperation {
    /// Reads operations that are separated by semicolons; the line is for the fault.
    package static func list(_ text: some StringProtocol, line: Int = 1) throws(SmallFixtureError) -> [SmallOperation] {
        var operations: [SmallOperation] = []
        for word in text.split(separator: ";") {
            guard let operation = SmallOperation(text: String(word)) else {
                throw .line(line, "no operation: \(word)")
            }
            operations.append(operation)
        }
        return operations
    }
}
