import Crypto
import Platform
import PoolControl
import PoolStore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The file of an exported configuration, encrypted with a key that is derived from a passphrase.
///
/// | bytes | what |
/// |---|---|
/// | 0…15 | ``magic`` |
/// | 16…17 | the format, 1 |
/// | 18 | the derivation of the key: 1 for scrypt |
/// | 19 | the binary logarithm of its cost N, 14…20 |
/// | 20…21 | its block size r, 8 |
/// | 22…23 | its parallelism p, 1 |
/// | 24…39 | its salt |
/// | 40…51 | the nonce |
/// | 52…59 | the number of encrypted bytes, including the tag |
/// | 60… | the contents, encrypted by AES-GCM with the key of 256 bits, and the tag of 16 bytes |
/// | the last 32 | the SHA-256 of all bytes before |
///
/// Numbers are big-endian. The tag also authenticates the first 60 bytes. The digest distinguishes a damaged file from a
/// wrong passphrase; it protects nothing.
struct SealedExport {
    /// The first bytes of a file; as in PNG, they contain line ends and a zero to detect a transfer in text mode.
    static let magic = Array("PoolSensors\r\n\u{1A}\n\0".utf8)
    /// The only format.
    static let format: UInt16 = 1
    /// The maximum size of a file, enough for thousands of devices.
    static let byteCountMax = 16 * 1_048_576

    private static let scrypt: UInt8 = 1
    private static let nonceByteCount = 12
    private static let tagByteCount = 16
    private static let headerByteCount = 60
    private static let digestByteCount = 32

    /// The derivation of the key.
    let derivation: PassphraseKey.Derivation
    /// The whole file.
    let bytes: [UInt8]

    private var header: ArraySlice<UInt8> { bytes[..<Self.headerByteCount] }
    private var sealed: ArraySlice<UInt8> { bytes[Self.headerByteCount..<(bytes.count - Self.digestByteCount)] }

    // MARK: - Sealing

    /// Encrypts contents.
    init(_ contents: [UInt8], with key: PassphraseKey) throws {
        derivation = key.derivation
        let nonce = AES.GCM.Nonce()
        var header = Self.magic
        header += Self.bigEndian(Self.format) + [Self.scrypt, derivation.costExponent]
        header += Self.bigEndian(derivation.blockSize) + Self.bigEndian(derivation.parallelism)
        header += derivation.salt + Array(nonce) + Self.bigEndian(UInt64(contents.count + Self.tagByteCount))
        let box = try AES.GCM.seal(contents, using: key.symmetricKey, nonce: nonce, authenticating: header)
        let all = header + Array(box.ciphertext) + Array(box.tag)
        bytes = all + Array(SHA256.hash(data: all))
    }

    /// Writes the file for this user only; it gets its name when it is complete and on the disk.
    ///
    /// - Parameters:
    ///   - path: The name.
    ///   - replaces: Whether a regular file with this name may be replaced.
    /// - Throws: `HistoryError`; then an existing file is unchanged.
    func write(to path: String, replaces: Bool) throws {
        do throws(NewFileError) {
            let file = try NewFile(path, replaces: replaces)
            try file.write { $0 += bytes }
            try file.finish()
        } catch {
            throw HistoryError(error)
        }
    }

    // MARK: - Opening

    /// Reads a file.
    ///
    /// - Throws: ``ConfigurationExportError``.
    init(reading path: String) throws {
        let file = URL(filePath: path).resolvingSymlinksInPath().path
        let attributes: [FileAttributeKey: Any]
        do {
            attributes = try FileManager.default.attributesOfItem(atPath: file)
        } catch let error as CocoaError where [.fileReadNoSuchFile, .fileNoSuchFile].contains(error.code) {
            throw ConfigurationExportError.missing(path: path)
        } catch {
            throw ConfigurationExportError.notReadable(path: path)
        }
        // Reading a pipe or a device could block.
        guard attributes[.type] as? FileAttributeType == .typeRegular else {
            throw ConfigurationExportError.notAFile(path: path)
        }
        let byteCount = (attributes[.size] as? UInt64).map(Int.init) ?? attributes[.size] as? Int ?? .max
        guard byteCount <= Self.byteCountMax else { throw ConfigurationExportError.notOne(path: path) }
        guard let contents = FileManager.default.contents(atPath: file) else {
            throw ConfigurationExportError.notReadable(path: path)
        }
        try self.init(Array(contents), path: path)
    }

    /// Parses the bytes of a file.
    ///
    /// - Throws: ``ConfigurationExportError``.
    init(_ bytes: [UInt8], path: String) throws(ConfigurationExportError) {
        let name = Array("PoolSensors".utf8)
        guard bytes.starts(with: name) else { throw .notOne(path: path) }
        guard bytes.starts(with: Self.magic), bytes.count >= Self.magic.count + 2 else {
            throw .damaged(path: path, finding: "its beginning is not as it was written")
        }
        let format = Self.number(bytes[16..<18])
        guard format <= Self.format else { throw .newer(path: path, finding: "format \(format)") }
        guard format == Self.format else { throw .damaged(path: path, finding: "there is no format \(format)") }
        let fewest = Self.headerByteCount + Self.tagByteCount + Self.digestByteCount
        guard bytes.count >= fewest else { throw .damaged(path: path, finding: "it was cut off") }
        let (expected, isTooLarge) = Self.number(bytes[52..<60])
            .addingReportingOverflow(UInt64(Self.headerByteCount + Self.digestByteCount))
        guard !isTooLarge, expected == bytes.count else {
            let finding = "it has \(bytes.count) bytes instead of \(isTooLarge ? "some other number" : "\(expected)")"
            throw .damaged(path: path, finding: finding)
        }
        let all = bytes.dropLast(Self.digestByteCount)
        guard SHA256.hash(data: Array(all)).elementsEqual(bytes.suffix(Self.digestByteCount)) else {
            throw .damaged(path: path, finding: "its checksum does not fit")
        }
        let derivation = PassphraseKey.Derivation(
            costExponent: bytes[19], blockSize: UInt16(Self.number(bytes[20..<22])),
            parallelism: UInt16(Self.number(bytes[22..<24])), salt: Array(bytes[24..<40]))
        guard bytes[18] == Self.scrypt else {
            throw .underived(path: path, finding: "the unknown method \(bytes[18])")
        }
        if let flaw = derivation.flaw { throw .underived(path: path, finding: flaw) }
        self.derivation = derivation
        self.bytes = bytes
    }

    /// Decrypts the contents.
    ///
    /// - Throws: ``ConfigurationExportError``.
    func open(with key: PassphraseKey, path: String) throws(ConfigurationExportError) -> [UInt8] {
        guard key.derivation == derivation else { throw .replaced(path: path) }
        do {
            let box = try AES.GCM.SealedBox(
                nonce: AES.GCM.Nonce(data: Array(header.suffix(20).prefix(Self.nonceByteCount))),
                ciphertext: Array(sealed.dropLast(Self.tagByteCount)), tag: Array(sealed.suffix(Self.tagByteCount)))
            return Array(try AES.GCM.open(box, using: key.symmetricKey, authenticating: Array(header)))
        } catch {
            throw .notOpened(path: path)
        }
    }

    // MARK: - Numbers

    private static func bigEndian(_ number: some FixedWidthInteger & UnsignedInteger) -> [UInt8] {
        stride(from: number.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
