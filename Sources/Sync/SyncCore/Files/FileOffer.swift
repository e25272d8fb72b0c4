/// The SHA-256 digest of a file's bytes; the driver computes it, and the engine only compares it.
public struct FileDigest: Hashable, Sendable {
    /// The 32 bytes of the digest.
    public let bytes: [UInt8]

    /// Creates a digest; nil unless there are exactly 32 bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// Creates a digest from 64 hexadecimal digits; nil for any other text.
    public init?(hexadecimal text: String) {
        guard let bytes = Hexadecimal.bytes(text) else { return nil }
        self.init(bytes: bytes)
    }

    /// The 64 hexadecimal digits of the digest.
    public var hexadecimal: String { Hexadecimal.text(bytes) }
}

/// The description that the receiver of a file gets before the first byte: enough to accept, to resume and to verify.
public struct FileOffer: Hashable, Sendable {
    /// The random identifier of this transfer; the same file sent again has another one.
    public var id: RandomID
    /// The last component of the file's path at the sender; see ``isFit(name:)``.
    public var name: String
    /// The size of the file in bytes; may be 0.
    public var byteCount: UInt64
    /// The digest that the received bytes must have.
    public var digest: FileDigest
    /// The sending application's data about the file; empty for none, at most ``metadataByteCountMax`` bytes.
    public var metadata: [UInt8]

    /// The most bytes of a name, as on most file systems.
    public static let nameByteCountMax = 255
    /// The most bytes of the metadata.
    public static let metadataByteCountMax = 65_536

    /// Creates an offer.
    public init(id: RandomID, name: String, byteCount: UInt64, digest: FileDigest, metadata: [UInt8]) {
        self.id = id
        self.name = name
        self.byteCount = byteCount
        self.digest = digest
        self.metadata = metadata
    }

    /// Whether a name is exactly one component of a path, so that it cannot lead out of a folder.
    ///
    /// It has 1…255 bytes without `/` and NUL, and is neither `.` nor `..`.
    public static func isFit(name: String) -> Bool {
        (1...nameByteCountMax).contains(name.utf8.count) && name != "." && name != ".."
            && !name.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
    }
}

/// Why a transfer failed.
public struct FileFailure: Error, Hashable, Sendable {
    /// The reason, for programs.
    public enum Cause: Hashable, Sendable {
        /// The sender's application cancelled it.
        case cancelled
        /// The receiver has no room for it.
        case full
        /// The file is larger than the receiver accepts.
        case tooLarge
        /// The receiver cannot use the name.
        case badName
        /// The received bytes have another digest than the offer: the file changed, or a disk damaged it.
        case damaged
        /// The sender can no longer read the file.
        case gone
        /// The sender does not know the transfer.
        case unknown
        /// The receiver's store failed.
        case failed
        /// A cause that this version does not know.
        case other(String)
    }

    /// The reason, for programs.
    public var cause: Cause
    /// The reason in words, from the end that detected it; at most 512 bytes of it arrive at the other end.
    public var words: String

    /// Creates a failure.
    public init(_ cause: Cause, _ words: String) {
        self.cause = cause
        self.words = words
    }
}

extension FileFailure: CustomStringConvertible {
    /// The reason in words, from the end that detected it.
    public var description: String { words.isEmpty ? "the transfer failed (\(cause.code))" : words }
}

extension FileFailure.Cause {
    private static let known: [(code: String, cause: FileFailure.Cause)] = [
        ("cancelled", .cancelled), ("full", .full), ("tooLarge", .tooLarge), ("badName", .badName),
        ("damaged", .damaged), ("gone", .gone), ("unknown", .unknown), ("failed", .failed),
    ]

    /// The code of the cause on the wire and in a store.
    public var code: String {
        if case .other(let code) = self { return code }
        return Self.known.first { $0.cause == self }?.code ?? "failed"
    }

    /// The cause with a code; an unknown code becomes ``other(_:)``.
    public init(code: String) {
        self = Self.known.first { $0.code == code }?.cause ?? .other(code)
    }
}
