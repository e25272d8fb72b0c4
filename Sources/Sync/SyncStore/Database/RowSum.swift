internal import SyncCore

/// The number of rows that a head covers, and the sum of their checksums.
///
/// A missing or outdated row changes it.
struct RowSum: Hashable, Sendable {
    private(set) var count: Int64
    private(set) var checksums: Int64

    init(count: Int64 = 0, checksums: Int64 = 0) {
        self.count = count
        self.checksums = checksums
    }

    mutating func add(_ checksum: Int64) {
        count += 1
        checksums &+= checksum
    }

    mutating func remove(_ checksum: Int64) {
        count -= 1
        checksums &-= checksum
    }

    static func + (left: RowSum, right: RowSum) -> RowSum {
        RowSum(count: left.count + right.count, checksums: left.checksums &+ right.checksums)
    }
}

extension RowSum: RecordCodable {
    static func code(_ value: RowSum?, _ coder: inout RecordCoder) throws(CodecError) -> RowSum {
        RowSum(count: try coder(value?.count), checksums: try coder(value?.checksums))
    }
}
