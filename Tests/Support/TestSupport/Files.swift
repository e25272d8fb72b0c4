public import Foundation

/// The bytes of a file; nil if the file does not exist.
public func contents(_ path: String) -> Data? { FileManager.default.contents(atPath: path) }

/// Writes a file, over one that is there.
public func write(_ bytes: Data, to path: String) throws {
    try bytes.write(to: URL(fileURLWithPath: path))
}

/// The permissions of a file.
public func permissions(_ path: String) throws -> Int {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int ?? -1
}

/// Changes the permissions of a file.
public func setPermissions(_ mode: Int, of path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
}

/// The names in a folder, sorted.
public func names(in path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
}
