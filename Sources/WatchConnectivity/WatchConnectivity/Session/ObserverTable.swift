import Foundation
import Platform

/// The observations of one object's properties.
final class ObserverTable: Sendable {
    private struct Table {
        var last: UInt64 = 0
        var observations: [UInt64: any PropertyObservation] = [:]
    }

    private let table = Lock(Table())

    /// Adds an observation.
    ///
    /// - Returns: A function that ends the observation.
    func add(_ observation: any PropertyObservation) -> @Sendable () -> Void {
        let number = table.withLock { table in
            table.last += 1
            table.observations[table.last] = observation
            return table.last
        }
        return { [weak self] in
            // Released outside the lock, because objects in the client's closure may have a deinit.
            let ended = self?.table.withLock { $0.observations.removeValue(forKey: number) }
            ended?.end()
        }
    }

    /// Reads the properties again, because they may have changed.
    func reread() {
        for observation in all { observation.reread() }
    }

    /// Notifies the observers of the properties that differ between two views of a session.
    func changed(_ session: WCSession, from old: SessionView, to new: SessionView) {
        for observation in all {
            if let (was, becomes) = SessionProperty.values(observation.keyPath, old, new) {
                observation.changed(from: was, to: becomes)
            } else {
                observation.reread()
            }
        }
    }

    /// The observations in the order in which they were added.
    private var all: [any PropertyObservation] {
        table.withLock { table in table.observations.keys.sorted().compactMap { table.observations[$0] } }
    }
}

/// An observation of one property.
protocol PropertyObservation: Sendable {
    var keyPath: AnyKeyPath { get }
    /// Reads the property again, because it may have changed.
    func reread()
    /// Notifies the observer if the two values differ.
    func changed(from old: Any, to new: Any)
    /// Ends the observation: the observer is not called any more.
    func end()
}

/// An object whose properties can be observed.
protocol ObservationKeeping: AnyObject {
    var observationBook: ObserverTable? { get }
}

extension WCSession: ObservationKeeping {
    var observationBook: ObserverTable? { backing.observations }
}

extension Progress: ObservationKeeping {
    /// The observations of all progress objects that Foundation made: such an object may contain transfers, whichever.
    static let plainObservations = ObserverTable()

    var observationBook: ObserverTable? { (self as? TransferProgress)?.observations ?? Self.plainObservations }
}
