import PoolControl
import PoolModel

/// Writes readings as the lines that `CanonicalJSON.output` makes of a `HistoryRow`, but faster.
struct HistoryRowText {
    private var names: [DeviceID: [UInt8]] = [:]
    private static let quantities = Quantity.allCases.sorted { $0.rawValue < $1.rawValue }

    /// Appends the line of a row.
    ///
    /// - Throws: ``RequestProblem`` for a number that is not finite.
    mutating func append(_ row: HistoryRow, to bytes: inout [UInt8]) throws {
        bytes += "{\"corrected\":".utf8
        try Self.append(row.corrected, to: &bytes)
        bytes += ",\"device\":".utf8
        bytes += try name(of: row)
        bytes += ",\"deviceID\":\"\(row.deviceID)\",\"ordinal\":\(row.ordinal),\"raw\":".utf8
        try Self.append(row.raw, to: &bytes)
        bytes += ",\"receivedAt\":\"\(row.receivedAt.iso8601)\",\"sampledAt\":\"\(row.sampledAt.iso8601)\"".utf8
        bytes += ",\"timeQuality\":\"\(row.timeQuality.rawValue)\"}\n".utf8
    }

    /// The name as a JSON string.
    private mutating func name(of row: HistoryRow) throws -> [UInt8] {
        if let name = names[row.deviceID] { return name }
        let name = Array(try CanonicalJSON.output(row.device).utf8)
        names[row.deviceID] = name
        return name
    }

    private static func append(_ values: QuantityMap<Double>, to bytes: inout [UInt8]) throws {
        var isFirst = true
        bytes.append(UInt8(ascii: "{"))
        for quantity in quantities {
            guard let value = values[quantity] else { continue }
            guard value.isFinite else {
                throw RequestProblem("a stored value of \(quantity.rawValue) is not a number")
            }
            let text = value.description
            bytes += "\(isFirst ? "" : ",")\"\(quantity.rawValue)\":".utf8
            bytes += text.utf8
            // Whole numbers are written without a fraction.
            if text.hasSuffix(".0") { bytes.removeLast(2) }
            isFirst = false
        }
        bytes.append(UInt8(ascii: "}"))
    }
}
