import Foundation
import Platform

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

// Under another name, because a method here is named like the function of the system.
private let systemWrite = unsafe write

/// Writes the trace lines of one side to their destination.
package final class TraceWriter: Sendable {
    /// The writer for sessions without a device, according to the process's environment.
    static let unpaired = TraceWriter(
        side: "unpaired", SessionTrace.Sink(environment: ProcessInfo.processInfo.environment))

    private let side: String
    /// The open file; nil without a trace, or after a failed write.
    private let descriptor: Lock<Int32?>

    /// Opens the trace of a side; a nil sink means no trace.
    ///
    /// If a file cannot be opened, the standard error says so, and nothing is written.
    package init(side: String, _ sink: SessionTrace.Sink?) {
        self.side = side
        let opened: Int32? =
            switch sink {
            case nil: nil
            // A duplicate descriptor, so that closing it is always right.
            case .standardError: dup(2)
            case .file(let path): unsafe open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
            }
        if case .file(let path) = sink, let opened, opened < 0 {
            let reason = SessionSetupError.unusable(
                .trace, value: path, wayOut: "name a file that can be written, in a folder that exists, or stderr")
            FileHandle.standardError.write(Data("WatchConnectivity: \(reason)\n".utf8))
        }
        descriptor = Lock(opened.flatMap { $0 < 0 ? nil : $0 })
    }

    deinit {
        descriptor.withLock { if let number = $0 { _ = close(number) } }
    }

    /// Writes a line; without `milliseconds`, with the present time.
    package func write(_ event: TraceEvent, milliseconds: Int64? = nil) {
        descriptor.withLock { descriptor in
            guard let number = descriptor else { return }
            let milliseconds = milliseconds ?? Int64(Date.now.timeIntervalSince1970 * 1_000)
            let line = TraceLine.text(event, side: side, milliseconds: milliseconds) + "\n"
            // A single write for each line, so that two processes can append to one file.
            let isWritten = unsafe line.utf8.withContiguousStorageIfAvailable { bytes in
                unsafe systemWrite(number, bytes.baseAddress, bytes.count) == bytes.count
            }
            if isWritten == false {
                _ = close(number)
                descriptor = nil
            }
        }
    }
}
