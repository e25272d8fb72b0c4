import Foundation
import Glibc
import Synchronization

/// Writes the lines of one side to where they go.
package final class TraceWriter: Sendable {
    /// For the sessions that have no device, as the process's environment says.
    static let unpaired = TraceWriter(
        side: "unpaired", SessionTrace.Sink(environment: ProcessInfo.processInfo.environment))

    private let side: String
    /// The open file; nil for no trace, or after a write failed.
    private let descriptor: Mutex<Int32?>

    /// Opens the trace of a side, nil for none; a file that cannot be opened gets no lines.
    package init(side: String, _ sink: SessionTrace.Sink?) {
        self.side = side
        let opened: Int32? =
            switch sink {
            case nil: nil
            // Its own number for the same thing, so that closing is always right.
            case .standardError: dup(2)
            case .file(let path): unsafe open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
            }
        descriptor = Mutex(opened.flatMap { $0 < 0 ? nil : $0 })
    }

    deinit {
        descriptor.withLock { if let number = $0 { _ = close(number) } }
    }

    /// Writes a line; the time is now, if nothing else is said.
    package func write(_ event: TraceEvent, milliseconds: Int64? = nil) {
        descriptor.withLock { descriptor in
            guard let number = descriptor else { return }
            let milliseconds = milliseconds ?? Int64(Date.now.timeIntervalSince1970 * 1_000)
            let line = TraceLine.text(event, side: side, milliseconds: milliseconds) + "\n"
            // One write for a line, so that two processes can add to one file.
            let isWritten = unsafe line.utf8.withContiguousStorageIfAvailable { bytes in
                unsafe Glibc.write(number, bytes.baseAddress, bytes.count) == bytes.count
            }
            if isWritten == false {
                _ = close(number)
                descriptor = nil
            }
        }
    }
}
