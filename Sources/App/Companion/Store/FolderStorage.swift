#if Processes
    import SyncStore

    /// A map in an SQLite file, `keyed.sqlite`, in a folder of its own.
    ///
    /// One process at a time can use the folder. A damaged file is refused and left as it is.
    public final class FolderStorage: CompanionStorage {
        private let store: KeyedStore

        /// Opens the map in a folder; creates both if necessary, but not the folder above.
        ///
        /// - Throws: An error that says what is wrong with the folder or the file, and the way out.
        public init(path: String) throws {
            store = try KeyedStore(in: try StateFolder(path: path))
        }

        /// The whole map.
        public func read() throws -> [String: [UInt8]] { try store.read() }

        /// Applies changes in one transaction that is durable when it returns.
        public func write(_ changes: [(key: String, value: [UInt8]?)]) throws { try store.write(changes) }
    }
#endif
