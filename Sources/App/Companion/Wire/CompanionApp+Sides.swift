import Foundation
public import WatchConnectivity

extension CompanionApp {
    /// - Throws: ``CompanionError/badVersion(app:version:)``.
    static func checkVersion() throws(CompanionError) {
        guard version >= 1 else { throw .badVersion(app: name, version: version) }
    }

    /// The sentence about something that the other side wrote in another version.
    ///
    /// - Parameters:
    ///   - other: The version.
    ///   - side: The side that wrote it.
    /// - Returns: What is too old, and which side to update.
    static func unreadable(ofVersion other: Int, from side: String) -> String {
        let mine = side == "watch" ? "phone" : "watch"
        if other > version {
            return
                "\(name) on this \(mine) is too old (version \(version), the \(side) has \(other)): update this \(mine)"
        }
        return "\(name) on the \(side) is too old (version \(other), this \(mine) has \(version)): update the \(side)"
    }
}

extension SessionSetup {
    /// The same setup for an app: with its name, and with a phone that all of its watches reach.
    ///
    /// A host does that with the setup that it gets; it is for programs that call `WCSession/setUp(_:)` themselves.
    ///
    /// - Parameters:
    ///   - app: The app.
    ///   - store: The phone's store, whose grants decide which records a watch may change; nil on a watch.
    /// - Returns: The setup to use.
    public func companion<App: CompanionApp>(_ app: App.Type, store: CompanionStore? = nil) -> SessionSetup {
        var setup = self
        setup.app = app.name
        setup.behaviour = setup.behaviour.forCompanions
        if let store { setup.recordPermission = store.recordPermission(app) }
        return setup
    }
}

extension CompanionStore {
    /// The shared records that watches may change by their grants; for pairs under test, which have no setup.
    public func recordPermission<App: CompanionApp>(_ app: App.Type) -> SharedRecords.Permission {
        SharedRecords.Permission { watch, key in
            (self.grants(of: watch) ?? app.firstGrants)
                .allow(app.grant(toChange: SharedRecords.Name(kind: key.kind, group: key.group)))
        }
    }
}

extension SessionBehaviour {
    /// The same behaviour for an app that serves all watches of a phone, and not only the active one; for pairs under test.
    public var forCompanions: SessionBehaviour {
        var behaviour = self
        behaviour.inactiveWatchIsReachable = true
        return behaviour
    }
}

extension Date {
    /// The milliseconds since 1970.
    var companionMilliseconds: Int64 { Int64((timeIntervalSince1970 * 1000).rounded()) }
}

extension UUID {
    /// The 16 bytes.
    var companionBytes: [UInt8] {
        let all = uuid
        return [
            all.0, all.1, all.2, all.3, all.4, all.5, all.6, all.7, all.8, all.9, all.10, all.11, all.12, all.13,
            all.14,
            all.15,
        ]
    }

    /// Takes 16 bytes; nil for another count.
    init?(companion bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.init(
            uuid: (
                bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8], bytes[9],
                bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
            ))
    }
}
