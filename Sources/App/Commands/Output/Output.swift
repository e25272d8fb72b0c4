import Foundation
import Platform
import Text

/// A stream of lines to the person or the program that started this one.
///
/// All output to standard output and standard error goes through it.
///
/// Lines of several threads do not mix. When the reader has gone, or nothing more can be written, the rest is dropped
/// and ``closed`` ends; ``loss`` says which of the two happened.
package final class Output: Sendable {
    /// Standard output.
    package static let standard = Output(descriptor: 1)
    /// Standard error.
    package static let errors = Output(descriptor: 2)

    /// Whether it is a terminal.
    package let isTerminal: Bool
    /// Ends when the reader has gone.
    package let closed: AsyncStream<Never>

    private let descriptor: Int32
    private let closing: AsyncStream<Never>.Continuation
    private let isOpen = Lock(true)
    private let failure = Lock<Int32?>(nil)

    package init(descriptor: Int32) {
        self.descriptor = descriptor
        isTerminal = isatty(descriptor) == 1
        (closed, closing) = AsyncStream<Never>.makeStream()
    }

    /// The number of the system error because of which something could not be written, such as a full disk; nil if all
    /// of it was written, or if the reader has gone.
    package var loss: Int32? { failure.withLock(\.self) }

    /// Writes a line, or several, with U+FFFD in place of control characters.
    package func line(_ text: String) {
        write(Self.harmless(text) + "\n")
    }

    /// A text of one line or several, with its control characters replaced.
    package static func harmless(_ text: String) -> String { ControlCharacter.replaced(in: text, except: ["\n"]) }

    /// Writes a text unchanged.
    package func write(_ text: String) {
        var bytes = ArraySlice(text.utf8)
        isOpen.withLock { isOpen in
            while isOpen, !bytes.isEmpty {
                // The pointer is valid during the call, for the given number of bytes.
                let count = unsafe bytes.withUnsafeBytes {
                    unsafe Foundation.write(descriptor, $0.baseAddress, $0.count)
                }
                if count >= 0 {
                    bytes = bytes.dropFirst(count)
                } else if errno == EAGAIN {
                    // Another process made the shared terminal non-blocking: wait until it accepts more.
                    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    _ = unsafe poll(&request, 1, -1)
                } else if errno != EINTR {
                    let number = errno
                    if number != EPIPE { failure.withLock { $0 = number } }
                    isOpen = false
                    closing.finish()
                }
            }
        }
    }
}
