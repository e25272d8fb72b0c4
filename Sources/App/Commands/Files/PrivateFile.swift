import Platform
import SystemPackage

/// Files that only this user can read.
package enum PrivateFile {
    /// Replaces the file by a text; a reader sees either the old or the new contents, complete.
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
