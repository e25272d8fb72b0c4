import Platform
import SystemPackage

/// Files that only this user can read.
package enum PrivateFile {
    /// Writes a text in place of the file before; anybody who reads finds one or the other, whole.
    ///
    /// - Throws: ``CommandFailure``; the file before is intact then.
    package static func write(_ text: String, to path: String) throws {
        do throws(NewFileError) {
            try NewFile.write(Array(text.utf8), to: path)
        } catch {
            switch error {
            case .exists, .notPlain:
                throw CommandFailure(
                    "cannot write \(path): it is not a regular file, and only a regular file is replaced")
            case .failed(_, _, let number): throw CommandFailure("cannot write \(path): \(number)")
            }
        }
    }
}
