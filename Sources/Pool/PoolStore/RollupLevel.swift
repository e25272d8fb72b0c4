internal import PoolModel

/// The width of the time buckets over which samples are summed up; each is a multiple of the one before.
///
/// The raw values are the number of milliseconds, and are stored.
enum RollupLevel: Int64, CaseIterable {
    case minute = 60_000
    case quarterHour = 900_000
    case hour = 3_600_000
    case day = 86_400_000

    /// The next finer level; nil for the finest, which is made of the readings themselves.
    var finer: RollupLevel? {
        switch self {
        case .minute: nil
        case .quarterHour: .minute
        case .hour: .quarterHour
        case .day: .hour
        }
    }

    /// The next coarser level.
    var coarser: RollupLevel? { Self.allCases.first { $0.rawValue > rawValue } }

    /// The number of the bucket that contains a time; buckets are counted from 1970.
    func bucket(of moment: Int64) -> Int64 { moment.floored(by: rawValue) }

    /// The times of a bucket; cut off at the ends of `Int64`.
    func span(of bucket: Int64) -> ClosedRange<Int64> {
        let first = bucket.multipliedReportingOverflow(by: rawValue)
        guard !first.overflow else { return bucket < 0 ? .min...((bucket + 1) * rawValue - 1) : .max ... .max }
        let last = first.partialValue.addingReportingOverflow(rawValue - 1)
        return first.partialValue...(last.overflow ? .max : last.partialValue)
    }

    /// The buckets of the next finer level that make up a bucket of this one.
    func finerBuckets(of bucket: Int64, _ finer: RollupLevel) -> ClosedRange<Int64> {
        let span = span(of: bucket)
        return finer.bucket(of: span.lowerBound)...finer.bucket(of: span.upperBound)
    }
}

extension Int64 {
    /// The quotient rounded down, even below zero; the divisor is positive.
    func floored(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
