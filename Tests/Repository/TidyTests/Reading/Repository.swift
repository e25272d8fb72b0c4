import Foundation
import TestSupport

/// The repository that this test was built from, as a plain tree of files.
///
/// Git is not asked: a copy without history is held to the same rules. What `.gitignore` names is left out.
struct Repository {
    /// The repository's folder.
    let root: URL
    /// Every file, relative to the root, sorted.
    let paths: [String]

    /// Finds the repository around this source file and lists its files.
    init() throws {
        root = TestSupport.Repository.url
        paths = try Self.list(root)
    }

    /// The text of each file that is UTF-8 and whose path passes the filter; pictures and other binaries are left out.
    func texts(where isIncluded: (String) -> Bool = { _ in true }) throws -> [(path: String, text: String)] {
        try paths.filter(isIncluded).compactMap { path in
            let bytes = try Data(contentsOf: root.appending(path: path))
            guard !bytes.contains(0), let text = String(data: bytes, encoding: .utf8) else { return nil }
            return (path, text)
        }
    }

    /// Every Swift file under `Sources` and `Tests`.
    func swiftSources() throws -> [SwiftSource] {
        try texts { $0.hasSuffix(".swift") && ($0.hasPrefix("Sources/") || $0.hasPrefix("Tests/")) }
            .map(SwiftSource.init)
    }

    /// The names at the top of the repository, files and folders.
    var topLevel: Set<String> {
        Set(paths.compactMap { $0.split(separator: "/").first.map(String.init) })
    }

    /// Lists the regular files below the folder; a symbolic link is neither followed nor listed.
    private static func list(_ root: URL) throws -> [String] {
        let ignored: Set = [".git", ".build", ".swiftpm", "packages", "Package.resolved", ".DS_Store"]
        var found: [String] = []
        var folders = [""]
        while let folder = folders.popLast() {
            for name in try FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path)
            where !ignored.contains(name) && !name.hasSuffix(".swp") {
                let path = folder.isEmpty ? name : folder + "/" + name
                let kind = try root.appending(path: path).resourceValues(forKeys: [.isDirectoryKey, .isRegularFileKey])
                if kind.isDirectory == true { folders.append(path) }
                if kind.isRegularFile == true { found.append(path) }
            }
        }
        return found.sorted()
    }
}
