import Crypto
import Platform
import SyncStore
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A file that is encrypted with AES-GCM in pieces of 64 KiB, under a key of its own.
///
/// Each piece authenticates its place and whether it is the last one, so that pieces are neither exchanged, left out nor
/// added. A key seals one file only: the number of a piece is its nonce.
package enum SealedFile {
    /// The bytes of a piece before it is encrypted.
    package static let pieceByteCount = 65_536
    /// The bytes that each piece has in addition.
    package static let tagByteCount = 16
    /// The bytes of a key.
    package static let keyByteCount = 32

    private typealias File = OpenFile<FolderError>

    /// A new key.
    package static func makeKey() -> [UInt8] { SecretText.bytes(keyByteCount) }

    /// The bytes that so many have when they are sealed.
    package static func byteCount(sealing count: Int) -> Int {
        count + max(1, (count + pieceByteCount - 1) / pieceByteCount) * tagByteCount
    }

    /// Writes a file that is for this user only; when this returns, it is durable, and complete under its name.
    ///
    /// - Parameters:
    ///   - bytes: The contents.
    ///   - path: Where; a file that is there is replaced.
    ///   - key: A key that seals nothing else.
    /// - Throws: `FolderError`; then nothing is at the path that was not there before.
    package static func write(_ bytes: [UInt8], to path: String, key: [UInt8]) throws {
        let new = path + ".new"
        do {
            if FileSystem.isThere(new) { try remove(new) }
            let file = try File.create(new, named: path)
            var offset: UInt64 = 0
            for index in 0..<max(1, (bytes.count + pieceByteCount - 1) / pieceByteCount) {
                let start = index * pieceByteCount
                let end = min(start + pieceByteCount, bytes.count)
                let box = try AES.GCM.seal(
                    bytes[start..<end], using: SymmetricKey(data: key), nonce: nonce(index, isLast: end == bytes.count))
                let piece = Array(box.ciphertext) + Array(box.tag)
                try file.write(piece, at: offset)
                offset += UInt64(piece.count)
            }
            try file.sync()
            try FolderError.perform("rename", on: path) { unsafe rename(new, path) }
            try File.settle(nameOf: path)
        } catch {
            // The first error is the one to report; what is left is removed with the next write or sweep.
            _ = unsafe unlink(new)
            throw error
        }
    }

    /// Reads a whole file.
    ///
    /// - Throws: `FolderError`, and ``SealedFileError`` if it does not open with the key, or is damaged.
    package static func read(_ path: String, key: [UInt8]) throws -> [UInt8] {
        let file = try File(path: path, flags: O_RDONLY | O_NOFOLLOW)
        let count = try file.facts().byteCount
        let sealed = pieceByteCount + tagByteCount
        guard count >= tagByteCount, count % sealed == 0 || count % sealed >= tagByteCount else {
            throw SealedFileError(path: path)
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        for index in 0..<(count + sealed - 1) / sealed {
            let start = index * sealed
            let piece = try file.read(at: UInt64(start), byteCount: min(sealed, count - start))
            do {
                let box = try AES.GCM.SealedBox(
                    nonce: nonce(index, isLast: start + piece.count == count), ciphertext: piece.dropLast(tagByteCount),
                    tag: piece.suffix(tagByteCount))
                bytes += try AES.GCM.open(box, using: SymmetricKey(data: key))
            } catch {
                // Not the library's text, which says nothing of the file.
                throw SealedFileError(path: path)
            }
        }
        return bytes
    }

    /// Removes a file; when this returns, that is durable.
    ///
    /// Does nothing if it does not exist.
    ///
    /// - Throws: `FolderError`.
    package static func remove(_ path: String) throws {
        try FolderError.perform("unlink", on: path, unless: { $0 == .noSuchFileOrDirectory }) { unsafe unlink(path) }
        try File.settle(nameOf: path)
    }

    private static func nonce(_ index: Int, isLast: Bool) throws -> AES.GCM.Nonce {
        var bytes = [UInt8](repeating: 0, count: 12)
        for place in 0..<8 { bytes[place] = UInt8(truncatingIfNeeded: UInt64(index) >> (8 * UInt64(7 - place))) }
        bytes[11] = isLast ? 1 : 0
        return try AES.GCM.Nonce(data: bytes)
    }
}

/// A sealed file does not open: it is damaged, or has another key.
package struct SealedFileError: Error, Equatable, CustomStringConvertible {
    /// The file.
    package let path: String

    /// The error, and what to do about it.
    package var description: String {
        "\(path) does not open with its key: restore it and the keys from the same backup"
    }
}
