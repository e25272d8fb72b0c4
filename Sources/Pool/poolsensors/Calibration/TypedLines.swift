import Foundation

/// The lines that a person types.
enum TypedLines {
    /// The lines of standard input, until its end.
    static func standardInput() -> AsyncStream<String> {
        let (lines, source) = AsyncStream<String>.makeStream()
        // Reading blocks, so it runs on a separate thread, which ends with the process or the input.
        Thread.detachNewThread {
            while let line = readLine(strippingNewline: true) { source.yield(line) }
            source.finish()
        }
        return lines
    }
}
