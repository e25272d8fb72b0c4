import Foundation

/// What a person types, line by line.
enum TypedLines {
    /// The lines of standard input, until its end.
    static func standardInput() -> AsyncStream<String> {
        let (lines, source) = AsyncStream<String>.makeStream()
        // Reading blocks, so it has a thread of its own; it ends with the process or the input.
        Thread.detachNewThread {
            while let line = readLine(strippingNewline: true) { source.yield(line) }
            source.finish()
        }
        return lines
    }
}
