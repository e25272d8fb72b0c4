import Foundation
import Synchronization

/// Who observes properties of one object.
final class ObserverTable: Sendable {
    private struct Table {
        var last: UInt64 = 0
        var observations: [UInt64: any PropertyObservation] = [:]
    }

    private let table = Mutex(Table())

    /// Adds an observation.
    ///
    /// - Returns: How to end it.
    func add(_ observation: any PropertyObservation) -> @Sendable () -> Void {
        let number = table.withLock { table in
            table.last += 1
            table.observations[table.last] = observation
            return table.last
        }
        return { [weak self] in
            // Released outside of the lock: what the client's closure holds may have a deinit.
            let ended = self?.table.withLock { $0.observations.removeValue(forKey: number) }
            ended?.end()
        }
    }

    /// The object's properties may have changed: they are read again.
    func reread() {
        for observation in all { observation.reread() }
    }

    /// A session's properties changed from what one view tells to what another does.
    func changed(_ session: WCSession, from old: SessionView, to new: SessionView) {
        for observation in all {
            if let (was, becomes) = SessionProperty.values(observation.keyPath, old, new) {
                observation.changed(from: was, to: becomes)
            } else {
                observation.reread()
            }
        }
    }

    /// In the order in which they were added.
    private var all: [any PropertyObservation] {
        table.withLock { table in table.observations.keys.sorted().compactMap { table.observations[$0] } }
    }
}

/// An observation of one property.
protocol PropertyObservation: Sendable {
    var keyPath: AnyKeyPath { get }
    /// The property may have changed.
    func reread()
    /// The property has another value, if these two differ.
    func changed(from old: Any, to new: Any)
    /// Nothing more is told.
    func end()
}

/// An object whose properties can be observed.
protocol ObservationKeeping: AnyObject {
    var observationBook: ObserverTable? { get }
}

extension WCSession: ObservationKeeping {
    var observationBook: ObserverTable? { seat.observations }
}

extension Progress: ObservationKeeping {
    /// Only the progress of our own files tells of its changes.
    var observationBook: ObserverTable? { (self as? TransferProgress)?.observations }
}
