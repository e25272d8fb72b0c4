import Foundation

/// A pipe whose writing end is for a child, and the lines that come out of it.
package struct PipeLines {
    /// The end for the child; to be closed here once it is started.
    package let writingEnd: Int32
    private let readingEnd: Int32

    /// Creates a pipe that children get only if it is named.
    package init() throws {
        (readingEnd, writingEnd) = try Spawning.withoutSpawning {
            var ends: [Int32] = [0, 0]
            // The call writes two numbers into a list of two.
            guard unsafe pipe(&ends) == 0 else {
                throw CommandFailure("cannot make a pipe: \(SystemErrorText.of(number: errno))")
            }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            return (ends[0], ends[1])
        }
    }

    /// Reads on a thread of its own until every writer has ended.
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
                // The buffer is as long as is told.
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

/// Cuts bytes into lines.
struct LineSplitter {
    /// The longest line; what is longer comes in pieces.
    static let byteCountMax = 1_048_576

    private var pending: [UInt8] = []

    /// What came after the last line end, nil if nothing did.
    var rest: String? { pending.isEmpty ? nil : String(decoding: pending, as: UTF8.self) }

    /// Takes bytes and gives the lines that they complete.
    mutating func take(_ bytes: some Collection<UInt8>) -> [String] {
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
