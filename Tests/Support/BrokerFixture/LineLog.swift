internal import Foundation
internal import TestSupport

#if canImport(Glibc)
    internal import Glibc
#endif

/// The lines that arrive on a pipe, from the first on, for many readers.
final class LineLog: Sendable {
    private struct Output {
        var lines: [String] = []
        var isEnded = false
    }

    private let output = Awaited(Output())

    /// Reads on a thread of its own until the other end is closed by everyone; then closes this one.
    init(reading descriptor: Int32) {
        Thread.detachNewThread { [output] in
            var rest: [UInt8] = []
            while let piece = readSome(descriptor) {
                var lines = (rest + piece).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                rest = Array(lines.removeLast())
                let whole = lines.map { String(decoding: $0, as: UTF8.self) }
                output.change { $0.lines += whole }
            }
            close(descriptor)
            let last = rest.isEmpty ? [] : [String(decoding: rest, as: UTF8.self)]
            output.change { output in
                output.lines += last
                output.isEnded = true
            }
        }
    }

    var lines: [String] { output.value.lines }

    /// Waits for a line that holds the text; nil if the end comes first, the wait is in vain, or the task is cancelled.
    func line(containing text: String) async -> String? {
        let isWanted = { @Sendable (line: String) in text.isEmpty || line.contains(text) }
        _ = await output.comes { $0.isEnded || $0.lines.contains(where: isWanted) }
        return lines.first(where: isWanted)
    }

    /// Waits for the end, unless the task is cancelled.
    func end() async { _ = await output.comes(\.isEnded) }
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
