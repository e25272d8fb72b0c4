internal import Foundation
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#endif

/// The lines that arrive on a pipe, from the first on, for many readers.
final class LineLog: Sendable {
    /// Someone who waits for a line, or for the end.
    private struct Reader {
        /// What the line must hold; nil waits for the end.
        let text: String?
        let continuation: CheckedContinuation<String?, Never>

        func isAnswered(by line: String) -> Bool { text.map { $0.isEmpty || line.contains($0) } ?? false }
    }

    private struct State {
        var lines: [String] = []
        var isEnded = false
        var nextNumber = 0
        var readersByNumber: [Int: Reader] = [:]
    }

    private let state = Mutex(State())

    /// Reads on a thread of its own until the other end is closed by everyone; then closes this one.
    init(reading descriptor: Int32) {
        Thread.detachNewThread { [self] in
            var rest: [UInt8] = []
            while let piece = readSome(descriptor) {
                var lines = (rest + piece).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                rest = Array(lines.removeLast())
                for line in lines { add(String(decoding: line, as: UTF8.self)) }
            }
            close(descriptor)
            if !rest.isEmpty { add(String(decoding: rest, as: UTF8.self)) }
            end()
        }
    }

    var lines: [String] { state.withLock { $0.lines } }

    /// Waits for a line that holds the text; nil if the end comes first, or the task is cancelled.
    func line(containing text: String) async -> String? { await wait(for: text) }

    /// Waits for the end, unless the task is cancelled.
    func end() async { _ = await wait(for: nil) }

    private func wait(for text: String?) async -> String? {
        let number = state.withLock { state in
            state.nextNumber += 1
            return state.nextNumber
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                begin(Reader(text: text, continuation: continuation), number: number)
            }
        } onCancel: {
            // Nobody is there yet if the cancellation came first: then the reader sees it by itself.
            state.withLock { $0.readersByNumber.removeValue(forKey: number) }?.continuation.resume(returning: nil)
        }
    }

    /// Answers the reader at once, or notes it.
    private func begin(_ reader: Reader, number: Int) {
        let (isAnswered, line) = state.withLock { state -> (Bool, String?) in
            if let line = state.lines.first(where: reader.isAnswered) { return (true, line) }
            if state.isEnded || Task.isCancelled { return (true, nil) }
            state.readersByNumber[number] = reader
            return (false, nil)
        }
        if isAnswered { reader.continuation.resume(returning: line) }
    }

    private func add(_ line: String) {
        let answered = state.withLock { state in
            state.lines.append(line)
            let answered = state.readersByNumber.filter { $0.value.isAnswered(by: line) }
            for number in answered.keys { state.readersByNumber[number] = nil }
            return answered
        }
        for reader in answered.values { reader.continuation.resume(returning: line) }
    }

    private func end() {
        let readers = state.withLock { state in
            state.isEnded = true
            defer { state.readersByNumber = [:] }
            return state.readersByNumber
        }
        for reader in readers.values { reader.continuation.resume(returning: nil) }
    }
}

/// Waits for bytes; nil at the end.
private func readSome(_ descriptor: Int32) -> [UInt8]? {
    while true {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = unsafe read(descriptor, &buffer, buffer.count)
        if count > 0 { return Array(buffer.prefix(count)) }
        guard count < 0, errno == EINTR else { return nil }
    }
}
