/// The body of REGISTERS: the values of several registers, whose bytes follow one another in the blob.
///
/// Each value counts as one number; the frame's sequence is that of the first.
enum RegisterBatch {
    /// The most bytes of body and blob together.
    ///
    /// A value that has no room in it comes in a REGISTER.
    static let byteCountMax = 16_384

    /// The body without values, for their members between its two parts.
    static func frame(epoch: Epoch) -> (beginning: [UInt8], end: [UInt8]) {
        let digits = String(decoding: JSONValue.hexadecimal(epoch.number).encoded, as: UTF8.self)
        return (Array(#"{"epoch":\#(digits),"values":["#.utf8), Array("]}".utf8))
    }

    /// The member for a value.
    static func member(of register: Register) -> [UInt8] {
        JSONValue.members([
            "bytes": .integer(Int64(register.value.count)), "key": .string(register.key),
            "order": .hexadecimal(register.order),
        ]).encoded
    }

    /// Reads REGISTERS: the registers in the order of their numbers, and the epoch of their orders.
    ///
    /// - Throws: ``FrameError``; then no value of the frame counts.
    static func read(_ frame: Frame) throws(FrameError) -> (registers: [Register], epoch: Epoch) {
        let byteCount = frame.body.count + frame.blob.count
        guard byteCount <= byteCountMax else { throw .tooLarge(byteCount: byteCount) }
        let reader = try BodyReader(frame)
        let members = try reader.objects("values")
        guard !members.isEmpty else { throw .body("values: expected at least one") }
        guard frame.sequence > 0, frame.sequence <= UInt64.max - UInt64(members.count) else {
            throw .body("sequence: expected a number from which \(members.count) can be counted")
        }
        var registers: [Register] = []
        var keys: Set<String> = []
        var start = 0
        for member in members {
            let count = Int(try member.integer("bytes", in: 0...Int64(byteCountMax)))
            guard count <= frame.blob.count - start else { throw .body("bytes: more than the blob has") }
            let register = Register(
                key: try member.text("key", byteCountMax: 256), order: try member.hexadecimal("order"),
                value: Array(frame.blob[start..<start + count]))
            guard !register.key.isEmpty else { throw .body("key: expected 1…256 bytes") }
            guard keys.insert(register.key).inserted else { throw .body("key: \(register.key) comes twice") }
            registers.append(register)
            start += count
        }
        guard start == frame.blob.count else { throw .body("bytes: less than the blob has") }
        return (registers, Epoch(number: try reader.hexadecimal("epoch")))
    }
}
