internal import FoundationEssentials
internal import GRDB
public import SyncCore

/// A watch's memory on the disk: one SQLite file, `watch.sqlite`, in a state folder.
///
/// A record is on the disk when a write returns, and is there as a whole or not at all after any crash. The hub has
/// everything that is in here: a damaged file is moved aside, and the watch starts with an empty one.
///
/// Its functions may be called on any thread, one at a time.
public final class WatchStore: WatchStorage {
    /// A damaged file that was moved aside.
    public struct SetAside: Hashable, Sendable {
        /// Where the file lies now; the next one takes its place.
        public var path: String
        /// What was found in it.
        public var finding: String
    }

    /// The damaged file that was moved aside when this store was opened, nil if there was none.
    public let setAside: SetAside?
    let file: DatabaseFile

    /// Opens the store of a folder, and creates it if there is none or a damaged one.
    ///
    /// - Parameter folder: The folder; it stays held as long as the store lives.
    /// - Throws: ``StoreError``; an existing file was not changed then.
    public init(in folder: StateFolder) throws(StoreError) {
        let finding: String
        do throws(StoreError) {
            file = try Self.open(folder)
            setAside = nil
            return
        } catch {
            guard case .damaged(_, let found) = error else { throw error }
            finding = found
        }
        setAside = SetAside(path: try DatabaseFile.setAside(.watch, in: folder), finding: finding)
        file = try Self.open(folder)
    }

    /// The path of the file.
    public var path: String { file.path }

    /// Closes the file; the next use opens it again.
    public func close() {
        file.close()
    }

    /// All that the watch remembers.
    ///
    /// - Throws: ``StoreError``.
    public func load() throws(StoreError) -> WatchEngine.State {
        try Self.state(file)
    }

    /// Makes a record durable as a whole, or throws and leaves nothing of it.
    ///
    /// - Throws: ``StoreError``.
    public func write(_ record: WatchEngine.Record) throws(StoreError) {
        try file.write { database in
            switch record {
            case .snapshot(let snapshot, let fence):
                try database.putSnapshot(snapshot)
                try database.putFence(fence)
            case .registers(let registers, let fence):
                for register in registers {
                    try database.putRegister(register)
                }
                try database.putFence(fence)
            }
        }
    }

    private static func open(_ folder: StateFolder) throws(StoreError) -> DatabaseFile {
        let file = try DatabaseFile(.watch, in: folder)
        // Only reading everything shows whether it is what was written.
        _ = try state(file)
        return file
    }

    private static func state(_ file: DatabaseFile) throws(StoreError) -> WatchEngine.State {
        try file.read { database in
            var registers = SortedMap<String, HeldRegister>()
            for var row in try database.rows(of: "register", sql: "ORDER BY name") {
                let register = try row.register()
                registers[register.register.key] = register
            }
            return WatchEngine.State(
                snapshot: try database.snapshot(), fence: try database.fence(), registers: registers)
        }
    }
}
