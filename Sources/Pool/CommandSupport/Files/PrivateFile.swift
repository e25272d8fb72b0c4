import Foundation

/// Files that only this user can read.
package enum PrivateFile {
    /// Writes a text, in place of the old content.
    ///
    /// - Throws: ``CommandFailure``.
    package static func write(_ text: String, to path: String) throws {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw CommandFailure("cannot write \(path): \(SystemErrorText.of(number: errno))")
        }
        defer { close(descriptor) }
        // An existing file may be readable by others.
        guard fchmod(descriptor, 0o600) == 0 else {
            throw CommandFailure("cannot close \(path) to others: \(SystemErrorText.of(number: errno))")
        }
        var bytes = ArraySlice(text.utf8)
        while !bytes.isEmpty {
            // The pointer is valid during the call, for the given number of bytes.
            let count = unsafe bytes.withUnsafeBytes { unsafe Foundation.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { throw CommandFailure("cannot write \(path): \(SystemErrorText.of(number: errno))") }
            bytes = bytes.dropFirst(count)
        }
    }
}
