extension WatchConfiguration {
    /// The pool that a text refers to, by the rules of ``PoolConfiguration/device(matching:)``.
    ///
    /// - Throws: ``ConfigurationError/notFound(_:_:known:)`` and ``ConfigurationError/ambiguous(_:_:candidates:)``.
    public func pool(matching text: String) throws(ConfigurationError) -> WatchPool {
        try match(text, .pool, pools.map { (record: $0, name: $0.name, id: "\($0.id)") })
    }

    /// The changes that rename a pool.
    ///
    /// - Throws: ``ConfigurationError`` when the name is not valid or taken, or the pool does not exist.
    public func renaming(pool id: PoolID, to name: String) throws(ConfigurationError) -> [ConfigurationChange] {
        guard pool(id) != nil else { throw .missing(.pool, "\(id)") }
        try NameRule.check(name, of: .pool)
        try NameRule.check(name, of: .pool, isFreeAmong: pools.filter { $0.id != id }.map(\.name))
        let fields = EntryFields.Name(name: name)
        return [.upsert(EntryGroup.poolName.entry(of: id.as(ConfigurationEntry.self), fields: fields))]
    }

    /// Why a name for a device or a pool is not valid, in words; nil if it is valid.
    public static func objection(toName name: String, of thing: ConfigurationError.RecordKind) -> String? {
        do throws(ConfigurationError) {
            try NameRule.check(name, of: thing)
            return nil
        } catch {
            return "\(error)"
        }
    }
}
