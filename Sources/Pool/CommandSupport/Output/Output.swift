import Foundation
import Platform
import PoolModel

/// A stream of lines to the person or the program that started this one: the only way to standard output and standard
/// error.
///
/// Lines of several threads do not mix. When nobody reads any more, or nothing more can be written, the rest is dropped
/// and ``closed`` ends; ``loss`` says which of the two it was.
package final class Output: Sendable {
    /// Standard output.
    package static let standard = Output(descriptor: 1)
    /// Standard error.
    package static let errors = Output(descriptor: 2)

    /// Whether it is a terminal.
    package let isTerminal: Bool
    /// Ends when nobody reads any more.
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

    /// Why something could not be written, such as a full disk, as the number of the system's error; nil if all of it
    /// was, and if its reader has simply gone.
    package var loss: Int32? { failure.withLock(\.self) }

    /// Writes a line, or several, with U+FFFD in place of what a terminal could obey.
    package func line(_ text: String) {
        write(Self.harmless(text) + "\n")
    }

    /// A text of one line or several without what a terminal could obey.
    package static func harmless(_ text: String) -> String { ControlCharacter.replaced(in: text, except: ["\n"]) }

    /// Writes a text as it is.
    package func write(_ text: String) {
        var bytes = ArraySlice(text.utf8)
        isOpen.withLock { isOpen in
            while isOpen, !bytes.isEmpty {
                // The pointer is valid during the call, for as many bytes as are told.
                let count = unsafe bytes.withUnsafeBytes {
                    unsafe Foundation.write(descriptor, $0.baseAddress, $0.count)
                }
                if count >= 0 {
                    bytes = bytes.dropFirst(count)
                } else if errno == EAGAIN {
                    // Somebody else made the shared terminal non-blocking: wait until it takes more.
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
