public import Foundation

/// The repository that the tests were built from.
public enum Repository {
    /// Its folder: the nearest one above this file that holds a manifest.
    public static let url: URL = {
        var folder = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        while !FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path) {
            precondition(folder.pathComponents.count > 1, "no Package.swift above \(#filePath)")
            folder.deleteLastPathComponent()
        }
        return folder
    }()

    /// A file or folder in it, by its path from there.
    public static func url(_ path: String) -> URL { url.appending(path: path) }
}
