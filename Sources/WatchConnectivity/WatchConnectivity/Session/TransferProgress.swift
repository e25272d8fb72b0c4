import Foundation
import Platform

/// The progress of a file transfer, which notifies its observers, and those of any progress that may contain it.
// Unchecked, like its superclass: Foundation locks the counts.
final class TransferProgress: Progress, @unchecked Sendable {
    let observations = ObserverTable()
    /// Cancels the transfer; set once, before the app has the object.
    private let onCancel = Lock<(@Sendable () -> Void)?>(nil)

    /// - Parameter byteCount: The bytes of the file; nil if they are not known yet.
    init(byteCount: UInt64?) {
        super.init(parent: nil, userInfo: nil)
        kind = .file
        // A total of zero would give no fraction, so an unknown or empty size needs another total.
        totalUnitCount = Self.total(byteCount)
    }

    /// Calls this whenever the app cancels the progress, or a progress that contains it.
    func whenCancelled(_ cancelTransfer: @escaping @Sendable () -> Void) {
        onCancel.withLock { $0 = cancelTransfer }
    }

    /// Cancels the transfer, as ``WCSessionFileTransfer/cancel()`` does.
    override func cancel() {
        super.cancel()
        onCancel.withLock(\.self)?()
        reread()
    }

    func update(_ count: UInt64, of byteCount: UInt64) {
        totalUnitCount = Self.total(byteCount)
        completedUnitCount = byteCount == 0 ? 0 : min(Int64(clamping: count), totalUnitCount)
        reread()
    }

    func complete() {
        completedUnitCount = totalUnitCount
        reread()
    }

    /// A progress does not say which one contains it, so all that are observed are read again.
    private func reread() {
        observations.reread()
        Progress.plainObservations.reread()
    }

    private static func total(_ byteCount: UInt64?) -> Int64 { max(1, Int64(clamping: byteCount ?? 1)) }
}
