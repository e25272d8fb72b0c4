import CommandSupport
import PoolModel
import WaterChemistry

/// One line of the comparison of forecasts.
struct ForecastRow: Encodable, Equatable {
    /// What a line is about.
    enum Method: String, Encodable {
        /// A damped trend with a profile of the day.
        case trendAndProfile = "trend and profile of the day"
        /// As it was a day before.
        case dayBefore = "as a day before"
        /// The times between two doses; `hours` is the median of their lengths.
        case segments = "segments between doses"
        /// The drift since the last dose.
        case sinceDose = "since the last dose"
        /// The share of true values within the band of the drift; its goal is 0.8.
        case band = "share within the band"
        /// The share of forecasts that the product would show, by their own past.
        case shown = "share that is shown"
    }

    let method: Method
    let quantity: Quantity
    /// The hours ahead, or the median length of segments; nil for all forecasts.
    let hours: Int?
    /// The number of forecasts.
    let count: Int
    /// The mean absolute error, in the quantity's unit; nil for a share.
    var error: Double?
    /// The same of the method that it is compared with.
    var otherError: Double?
    /// The name of that method.
    var other: String?
    /// The error over the other error, or the share; nil if nothing can be said.
    let ratio: Double?

    /// A line of errors.
    init(
        _ method: Method, _ quantity: Quantity, hours: Int, errors: [Double], others: [Double], other: String
    ) {
        self.method = method
        self.quantity = quantity
        self.hours = hours
        count = errors.count
        let error = errors.reduce(0, +) / Double(max(1, errors.count))
        let otherError = others.reduce(0, +) / Double(max(1, others.count))
        self.error = error
        self.otherError = otherError
        self.other = other
        ratio = otherError > 0 ? error / otherError : nil
    }

    /// A line of a share.
    init(_ method: Method, _ quantity: Quantity, hours: Int?, share: [Bool]) {
        self.method = method
        self.quantity = quantity
        self.hours = hours
        count = share.count
        ratio = share.isEmpty ? nil : Double(share.count { $0 }) / Double(share.count)
    }

    /// A line of segments; `lengths` are their lengths in hours, at least one.
    init(segmentsOf quantity: Quantity, lengths: [Double]) {
        method = .segments
        self.quantity = quantity
        hours = Int(HourlyCourse.median(lengths).rounded())
        count = lengths.count
        ratio = nil
    }

    /// The line for a person.
    var text: String {
        if method == .segments, let hours {
            return "  \(Self.padded(method.rawValue, 30)) \(Self.padded(quantity.name, 12)) \(count), median \(hours) h"
        }
        let ahead = hours.map { "+\($0) h" } ?? "all"
        var line = "  \(Self.padded(method.rawValue, 30)) \(Self.padded(quantity.name, 12)) \(Self.padded(ahead, 6))"
        line += " \(ratio.map(BenchOutput.text) ?? "–")"
        if let error, let otherError, let other {
            line += " = \(BenchOutput.text(error)) ÷ \(BenchOutput.text(otherError)) (\(other))"
        }
        return line + ", \(count) forecasts"
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
