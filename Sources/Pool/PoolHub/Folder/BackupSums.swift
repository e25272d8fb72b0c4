import Crypto
import Primitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The SHA-256 checksums of the secrets in a backup, in the format of `sha256sum`.
///
/// A store has its own checksums; the files of the secrets have none.
struct BackupSums {
    /// The name of their file, as a secret of the backup's folder.
    static let name = "checksums"

    /// The lines of the file.
    private let lines: Set<String>

    /// The checksums of secrets, by name.
    init(of secrets: [String: [UInt8]]) {
        lines = Set(secrets.map { Self.line($0.value, $0.key) })
    }

    /// The sums in a file; nil if it cannot be read.
    init?(reading path: String) {
        guard let bytes = FileManager.default.contents(atPath: path) else { return nil }
        lines = Set(String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init))
    }

    /// The contents of the file.
    var bytes: [UInt8] { Array(lines.sorted().map { $0 + "\n" }.joined().utf8) }

    /// Whether a secret has its checksum.
    func confirms(_ bytes: [UInt8], named name: String) -> Bool { lines.contains(Self.line(bytes, name)) }

    private static func line(_ bytes: [UInt8], _ name: String) -> String {
        "\(Hexadecimal.text(SHA256.hash(data: bytes)))  \(name).secret"
    }
}
