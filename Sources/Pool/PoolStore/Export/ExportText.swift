internal import PoolModel

/// Writes readings as the bytes of an export, independent of the locale.
struct ExportText {
    private let request: ExportRequest
    /// The last day that was written, and its text up to the `T`: most readings have the same day as the one before.
    private var day: (number: Int64, text: [UInt8])?
    private var names: [DeviceID: [UInt8]] = [:]
    private var identities: [DeviceID: [UInt8]] = [:]

    private static let millisecondsOfDay: Int64 = 86_400_000

    /// The quantities of the columns.
    private let quantities: [Quantity]

    /// Creates the text of an export.
    ///
    /// - Parameters:
    ///   - request: What to export.
    ///   - quantities: The quantities that have a column; a line of JSON has only what was measured.
    init(_ request: ExportRequest, columns quantities: [Quantity] = Quantity.listed { _ in false }) {
        self.request = request
        self.quantities = quantities
    }

    /// The first line; empty if the format has none.
    var header: [UInt8] {
        guard request.format == .csv else { return [] }
        var columns = ["Timestamp", "Device"] + quantities.map(\.name)
        if request.values == .both { columns += quantities.map { "Raw \($0.name)" } }
        return Array((columns.joined(separator: ",") + "\r\n").utf8)
    }

    /// Appends the line of a reading.
    mutating func append(_ reading: Reading, to bytes: inout [UInt8]) {
        let corrected = request.values == .raw ? reading.values : request.corrections.corrected(reading)
        switch request.format {
        case .csv: appendCSV(reading, corrected, to: &bytes)
        case .jsonl: appendJSON(reading, corrected, to: &bytes)
        }
    }

    // MARK: - Lines

    private mutating func appendCSV(
        _ reading: Reading, _ values: QuantityMap<Double>, to bytes: inout [UInt8]
    ) {
        append(reading.sampledAt, to: &bytes)
        bytes.append(UInt8(ascii: ","))
        bytes += name(of: reading.deviceID)
        for values in request.values == .both ? [values, reading.values] : [values] {
            for quantity in quantities {
                bytes.append(UInt8(ascii: ","))
                if let value = values[quantity], value.isFinite { Self.append(value, to: &bytes) }
            }
        }
        bytes += "\r\n".utf8
    }

    private mutating func appendJSON(
        _ reading: Reading, _ values: QuantityMap<Double>, to bytes: inout [UInt8]
    ) {
        bytes += "{\"timestamp\":\"".utf8
        append(reading.sampledAt, to: &bytes)
        bytes += "\",\"timeQuality\":\"\(reading.timeQuality.rawValue)\",\"receivedAt\":\"".utf8
        append(reading.receivedAt, to: &bytes)
        bytes += "\",\"deviceId\":".utf8
        bytes += identity(of: reading.deviceID)
        bytes += ",\"device\":".utf8
        bytes += name(of: reading.deviceID)
        appendMembers(values, to: &bytes)
        if request.values == .both {
            bytes += ",\"raw\":{".utf8
            let start = bytes.count
            appendMembers(reading.values, to: &bytes)
            // Each member begins with a comma; the one before the first member is removed.
            if bytes.count > start { bytes.remove(at: start) }
            bytes.append(UInt8(ascii: "}"))
        }
        bytes += "}\n".utf8
    }

    private func appendMembers(_ values: QuantityMap<Double>, to bytes: inout [UInt8]) {
        for quantity in Quantity.allCases {
            // JSON cannot represent numbers that are not finite.
            guard let value = values[quantity], value.isFinite else { continue }
            bytes += ",\"\(quantity.rawValue)\":".utf8
            Self.append(value, to: &bytes)
        }
    }

    // MARK: - Fields

    /// Appends a time in UTC with milliseconds, as `Timestamp.iso8601` writes it.
    private mutating func append(_ moment: Timestamp, to bytes: inout [UInt8]) {
        let number = moment.milliseconds.floored(by: Self.millisecondsOfDay)
        if day?.number != number {
            let text = moment.iso8601
            day = (number, Array(text.utf8.prefix(text.utf8.count - "12:00:00.000Z".utf8.count)))
        }
        bytes += day?.text ?? []
        // Not relative to the start of the day, which is out of range for the earliest day of all.
        let remainder = Int(moment.milliseconds % Self.millisecondsOfDay)
        let rest = remainder < 0 ? remainder + Int(Self.millisecondsOfDay) : remainder
        Self.append(rest / 3_600_000, digits: 2, then: ":", to: &bytes)
        Self.append(rest / 60_000 % 60, digits: 2, then: ":", to: &bytes)
        Self.append(rest / 1000 % 60, digits: 2, then: ".", to: &bytes)
        Self.append(rest % 1000, digits: 3, then: "Z", to: &bytes)
    }

    private static func append(
        _ number: Int, digits: Int, then end: Unicode.Scalar, to bytes: inout [UInt8]
    ) {
        if digits == 3 { bytes.append(UInt8(ascii: "0") + UInt8(number / 100)) }
        bytes.append(UInt8(ascii: "0") + UInt8(number / 10 % 10))
        bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
        bytes.append(UInt8(ascii: end))
    }

    /// Appends the shortest digits that give the same number when read; whole numbers without a fraction.
    private static func append(_ value: Double, to bytes: inout [UInt8]) {
        let text = value.description
        bytes += text.utf8
        if text.hasSuffix(".0") { bytes.removeLast(2) }
    }

    /// The name of a device as a field in the format.
    private mutating func name(of deviceID: DeviceID) -> [UInt8] {
        if let name = names[deviceID] { return name }
        let name = request.names[deviceID] ?? "\(deviceID)"
        let field = request.format == .csv ? Self.csvField(name) : Self.jsonString(name)
        names[deviceID] = field
        return field
    }

    /// The identity of a device as a JSON string.
    private mutating func identity(of deviceID: DeviceID) -> [UInt8] {
        if let identity = identities[deviceID] { return identity }
        let identity = Self.jsonString("\(deviceID)")
        identities[deviceID] = identity
        return identity
    }

    /// A field by RFC 4180, section 2: in quotes if it contains a comma, a quote or a line break; quotes are doubled.
    private static func csvField(_ text: String) -> [UInt8] {
        let field = Array(text.utf8)
        let special: [UInt8] = [UInt8(ascii: ","), UInt8(ascii: "\""), 10, 13]
        guard field.contains(where: special.contains) else { return field }
        let quote = UInt8(ascii: "\"")
        return [quote] + field.flatMap { $0 == quote ? [quote, quote] : [$0] } + [quote]
    }

    /// A string by RFC 8259, section 7.
    private static func jsonString(_ text: String) -> [UInt8] {
        var result: [UInt8] = [UInt8(ascii: "\"")]
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): result += [UInt8(ascii: "\\"), byte]
            case 0..<32: result += "\\u00\(Hexadecimal.text([byte]))".utf8
            default: result.append(byte)
            }
        }
        return result + [UInt8(ascii: "\"")]
    }
}
