import Foundation
import Platform

/// The list of what was caught, which `.ci/mutants` compares with the list of mutants.
public enum Caught {
    private static let file = Lock(ProcessInfo.processInfo.environment["MUTANTS_CAUGHT"])

    /// Adds a line, `NAME: WHAT CAUGHT IT`, to the file that the variable MUTANTS_CAUGHT names; without it nothing.
    ///
    /// - Parameters:
    ///   - name: The name of the mutant.
    ///   - means: The test, the schedule or the seed that caught it, and the rule that was broken.
    /// - Throws: The file system's error.
    public static func note(_ name: String, by means: String) throws {
        try file.withLock { path in
            guard let path else { return }
            let file = try FileHandle(forWritingTo: URL(filePath: path))
            try file.seekToEnd()
            try file.write(contentsOf: Data("\(name): \(means)\n".utf8))
            try file.close()
        }
    }
}
