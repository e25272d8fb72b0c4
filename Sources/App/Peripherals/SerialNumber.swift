package import Appliances

/// How the devices of one maker, and the hubs in front of them, call themselves.
package protocol PeripheralMaker: Sendable {
    /// What an advertised device or hub is known by.
    typealias Mark = (letters: String, advertisedName: String)

    /// The four letters before the number of a device, and the name that it advertises, byte for byte (T3).
    static var device: Mark { get }
    /// The same of a hub.
    static var hub: Mark { get }
    /// The first word of their topics, which also separates the keys of two makers; lowercase letters.
    static var word: String { get }
}

/// The number of a device or of a hub, as its maker prints it and as it is advertised (T4, T5).
///
/// It is four letters of the maker, 12 hexadecimal digits, and a check sum of 4.
package struct SerialNumber<Maker: PeripheralMaker>: Hashable, Sendable {
    /// What carries the number.
    package enum Bearer: CaseIterable, Sendable {
        case device, hub

        fileprivate var mark: PeripheralMaker.Mark { self == .device ? Maker.device : Maker.hub }

        /// The name that it advertises, byte for byte (T3).
        package var advertisedName: String { mark.advertisedName }
    }

    /// What carries it.
    package let bearer: Bearer
    /// The number, 48 bits.
    package let number: UInt64

    /// The serial number of a number.
    ///
    /// - Throws: ``ModelProblem`` unless it is 1 to 12 hexadecimal digits, such as `0042A1`; `H` may stand before them for a hub.
    package init(short text: String) throws(ModelProblem) {
        let isHub = text.hasPrefix("H")
        let digits = isHub ? text.dropFirst() : text[...]
        guard (1...12).contains(digits.utf8.count), digits.first != "+", let number = UInt64(digits, radix: 16) else {
            throw ModelProblem("\(Excerpt(text)) is no serial number: give 1 to 12 hexadecimal digits, such as 0042A1")
        }
        bearer = isHub ? .hub : .device
        self.number = number
    }

    /// Reads what was advertised; nil unless each byte is right, and the check sum fits.
    package init?(advertised bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard bytes.count == 20, let bearer = Bearer.allCases.first(where: { text.hasPrefix($0.mark.letters) }),
            let number = UInt64(text.dropFirst(4).prefix(12), radix: 16)
        else { return nil }
        self.bearer = bearer
        self.number = number
        guard self.text.utf8.elementsEqual(bytes) else { return nil }
    }

    /// The whole number, as it is printed and advertised.
    package var text: String {
        let digits = String(number, radix: 16, uppercase: true)
        let body = bearer.mark.letters + String(repeating: "0", count: 12 - digits.count) + digits
        let sum = String(Self.checkSum(body.utf8), radix: 16, uppercase: true)
        return body + String(repeating: "0", count: 4 - sum.count) + sum
    }

    /// The number as people write it, such as `0042A1`, with an `H` before that of a hub.
    package var short: String {
        let digits = String(number, radix: 16, uppercase: true)
        let body = String(repeating: "0", count: max(0, 6 - digits.count)) + digits
        return bearer == .hub ? "H" + body : body
    }

    /// CRC-16 with the polynomial 0x1021, from 0xFFFF on, as ITU-T V.41 and many radio chips have it.
    private static func checkSum(_ bytes: some Sequence<UInt8>) -> UInt16 {
        var sum: UInt16 = 0xFFFF
        for byte in bytes {
            sum ^= UInt16(byte) << 8
            for _ in 0..<8 { sum = sum & 0x8000 == 0 ? sum << 1 : sum << 1 ^ 0x1021 }
        }
        return sum
    }
}

extension SerialNumber: Codable {
    private enum CodingKeys: CodingKey { case bearer, number }

    /// Reads the letters and the number.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let letters = try values.decode(String.self, forKey: .bearer)
        guard let bearer = Bearer.allCases.first(where: { $0.mark.letters == letters }) else {
            throw DecodingError.dataCorruptedError(
                forKey: .bearer, in: values, debugDescription: "\(Excerpt(letters)) is no maker's letters")
        }
        self.bearer = bearer
        number = try values.decode(UInt64.self, forKey: .number)
    }

    /// Writes the letters and the number.
    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(bearer.mark.letters, forKey: .bearer)
        try values.encode(number, forKey: .number)
    }
}
