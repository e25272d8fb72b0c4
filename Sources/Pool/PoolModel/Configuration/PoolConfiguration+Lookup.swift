extension PoolConfiguration {
    /// The server that a text refers to: by its identifier, its name, or the start of its identifier.
    ///
    /// An exact match has priority over a looser one. The order is: the whole identifier, the name, the name in any
    /// case, the start of the identifier, and the name followed by the start of the identifier, as in `Garden 3f2a`.
    ///
    /// - Throws: ``ConfigurationError/notFound(_:_:known:)`` and ``ConfigurationError/ambiguous(_:_:candidates:)``.
    public func server(matching text: String) throws(ConfigurationError) -> Server {
        try match(text, .server, servers.map { (record: $0, name: $0.name, id: "\($0.id)") })
    }

    /// The device that a text refers to, by the rules of ``server(matching:)``.
    ///
    /// - Throws: ``ConfigurationError/notFound(_:_:known:)`` and ``ConfigurationError/ambiguous(_:_:candidates:)``.
    public func device(matching text: String) throws(ConfigurationError) -> Device {
        try match(text, .device, devices.map { (record: $0, name: $0.name, id: "\($0.id)") })
    }

    /// The pool that a text refers to, by the rules of ``server(matching:)``.
    ///
    /// - Throws: ``ConfigurationError/notFound(_:_:known:)`` and ``ConfigurationError/ambiguous(_:_:candidates:)``.
    public func pool(matching text: String) throws(ConfigurationError) -> Pool {
        try match(text, .pool, pools.map { (record: $0, name: $0.name, id: "\($0.id)") })
    }
}

/// The only record that a text refers to.
func match<Record>(
    _ text: String, _ thing: ConfigurationError.RecordKind, _ records: [(record: Record, name: String, id: String)]
) throws(ConfigurationError) -> Record {
    let lowercased = text.lowercased()
    let prefix = lowercased.filter { $0 != "-" }
    let cut = lowercased.lastIndex(of: " ") ?? lowercased.startIndex
    let nameBefore = String(lowercased[..<cut])
    let prefixBehind = lowercased[cut...].filter { !" -()".contains($0) }
    let rules: [((record: Record, name: String, id: String)) -> Bool] = [
        { $0.id == lowercased },
        { $0.name == text },
        { $0.name.lowercased() == lowercased },
        { !prefix.isEmpty && $0.id.filter { $0 != "-" }.hasPrefix(prefix) },
        { $0.name.lowercased() == nameBefore && $0.id.filter { $0 != "-" }.hasPrefix(prefixBehind) },
    ]
    for rule in rules {
        let found = records.filter(rule)
        if found.count == 1 { return found[0].record }
        if found.count > 1 {
            throw .ambiguous(thing, text, candidates: found.map { "\($0.name) \($0.id)" })
        }
    }
    throw .notFound(thing, text, known: records.map(\.name))
}
