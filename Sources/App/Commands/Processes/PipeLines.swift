import Foundation

/// A pipe whose writing end is for a child, and the lines that are read from it.
package struct PipeLines {
    /// The end for the child; it must be closed here after the child's start.
    package let writingEnd: Int32
    private let readingEnd: Int32

    /// Creates a pipe that children inherit only if it is passed to them.
    package init() throws {
        (readingEnd, writingEnd) = try Self.ends()
    }

    /// The ends of a pipe that children inherit only if one is passed to them.
    package static func ends() throws -> (reading: Int32, writing: Int32) {
        try Spawning.withoutSpawning {
            var ends: [Int32] = [0, 0]
            // The call writes two numbers into an array of two.
            guard unsafe pipe(&ends) == 0 else {
                throw CommandFailure("cannot make a pipe: \(SystemErrorText.of(number: errno))")
            }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            return (ends[0], ends[1])
        }
    }

    /// Reads on a separate thread until every writer has ended.
    ///
    /// - Parameters:
    ///   - onLine: Called on that thread with each line.
    ///   - onEnd: Called on that thread after the last line.
    package func read(_ onLine: @escaping @Sendable (String) -> Void, onEnd: @escaping @Sendable () -> Void = {}) {
        let descriptor = readingEnd
        Thread.detachNewThread {
            var splitter = LineSplitter()
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                // The buffer has the given length.
                let count = unsafe Foundation.read(descriptor, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                for line in splitter.take(buffer.prefix(count)) { onLine(line) }
            }
            if let rest = splitter.rest { onLine(rest) }
            close(descriptor)
            onEnd()
        }
    }

    /// Closes the end that was for the child.
    package func closeWritingEnd() {
        close(writingEnd)
    }
}

/// Splits bytes into lines.
package struct LineSplitter {
    /// The longest line; a longer one is returned in pieces.
    package static let byteCountMax = 1_048_576

    private var pending: [UInt8] = []

    /// The bytes after the last line end; nil if there are none.
    package var rest: String? { pending.isEmpty ? nil : String(decoding: pending, as: UTF8.self) }

    /// Adds bytes and returns the lines that they complete.
    package mutating func take(_ bytes: some Collection<UInt8>) -> [String] {
        var lines: [String] = []
        for byte in bytes {
            if byte != UInt8(ascii: "\n") { pending.append(byte) }
            if byte == UInt8(ascii: "\n") || pending.count >= Self.byteCountMax {
                lines.append(String(decoding: pending, as: UTF8.self))
                pending.removeAll(keepingCapacity: true)
            }
        }
        return lines
    }
}
