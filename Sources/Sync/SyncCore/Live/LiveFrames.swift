/// A register's newest value; older values of the same key do not matter.
public struct Register: Hashable, Sendable {
    /// The key of the register; 1…256 bytes.
    public var key: String
    /// The position of the value among the values of its register: a later value always has a greater order.
    public var order: UInt64
    /// The value, which the engine does not interpret; at most ``valueByteCountMax`` bytes.
    public var value: [UInt8]

    /// The most bytes of a value.
    public static let valueByteCountMax = 65_536

    /// Creates a register.
    public init(key: String, order: UInt64, value: [UInt8]) {
        self.key = key
        self.order = order
        self.value = value
    }

    func frame(session: UInt64, number: UInt64, epoch: Epoch) -> Frame {
        Frame(kind: .register, session: session, sequence: number, body: body(epoch: epoch), blob: value)
    }

    /// The body of REGISTER; it is the same for all watches.
    func body(epoch: Epoch) -> [UInt8] {
        JSONValue.members([
            "key": .string(key), "order": .hexadecimal(order), "epoch": .hexadecimal(epoch.number),
        ]).encoded
    }

    /// Reads REGISTER: the register, and the epoch of its order.
    static func read(_ frame: Frame) throws(FrameError) -> (register: Register, epoch: Epoch) {
        let reader = try BodyReader(frame)
        let register = Register(
            key: try reader.text("key", byteCountMax: 256), order: try reader.hexadecimal("order"), value: frame.blob)
        guard !register.key.isEmpty else { throw .body("key: expected 1…256 bytes") }
        guard frame.blob.count <= valueByteCountMax else { throw .tooLarge(byteCount: frame.blob.count) }
        return (register, Epoch(number: try reader.hexadecimal("epoch")))
    }
}

/// The body of CREDIT: which live frames arrived.
struct Credit: Hashable, Sendable {
    /// The highest number that arrived.
    var highest: UInt64
    /// The numbers within a window below it that did not arrive; at most ``missingCountMax``.
    var missing: [UInt64]

    static let missingCountMax = 1024

    private static let bodyOfNothingMissing = Array(#"{"missing":[]}"#.utf8)

    init(highest: UInt64, missing: [UInt64]) {
        self.highest = highest
        self.missing = missing
    }

    func frame(session: UInt64) -> Frame {
        let body = JSONValue.members(["missing": .array(missing.map { .hexadecimal($0) })])
        return Frame(kind: .credit, session: session, sequence: highest, body: body.encoded)
    }

    init(_ frame: Frame) throws(FrameError) {
        highest = frame.sequence
        // This form is the only one without missing numbers, and nearly all credits have it.
        guard frame.body != Self.bodyOfNothingMissing else {
            missing = []
            return
        }
        missing = try BodyReader(frame).hexadecimals("missing", countMax: Self.missingCountMax)
    }
}
