package import PoolControl
package import PoolModel

/// Finds what a person means by a text. Commands of a hub take identities, so names are converted to identities only
/// here.
extension HubState {
    /// The server that a person means by its name, or by the start of its identity.
    ///
    /// - Throws: ``CommandFailure`` if none or several are meant.
    package func server(named text: String) throws(CommandFailure) -> ServerState {
        let id = try Self.meant { () throws(ConfigurationError) in try names.server(matching: text).id }
        return Self.found(servers.first { $0.id == id })
    }

    /// The device that a person means by its name, or by the start of its identity.
    ///
    /// - Throws: ``CommandFailure`` if none or several are meant.
    package func device(named text: String) throws(CommandFailure) -> DeviceState {
        do {
            let id = try names.device(matching: text).id
            return Self.found(devices.first { $0.id == id })
        } catch {
            throw misnamed(
                error,
                pools.first { $0.name == text }.map { pool in
                    let names = devices.filter { $0.device.poolID == pool.id }.map { "\"\($0.name)\"" }
                    return "\"\(text)\" is a pool"
                        + (names.isEmpty
                            ? " without a device" : ": name its device, \(names.joined(separator: " or "))")
                })
        }
    }

    /// The failure of a name; with what the name is, if it is the name of something else.
    private func misnamed(_ error: ConfigurationError, _ other: String?) -> CommandFailure {
        guard case .notFound = error, let other else { return CommandFailure(error) }
        return CommandFailure(other, exitStatus: .notFound)
    }

    /// The selected device, or the only one.
    ///
    /// - Throws: ``CommandFailure`` if there is none, or if several could be meant.
    package func soleDevice() throws(CommandFailure) -> DeviceState {
        guard let device = devices.first(where: \.isSelected) ?? (devices.count == 1 ? devices.first : nil) else {
            throw CommandFailure(
                devices.isEmpty
                    ? "there is no device yet; add one with: poolsensors device add"
                    : "name a device: \(devices.map(\.name).joined(separator: ", "))")
        }
        return device
    }

    /// The pool that a person means by its name, or by the start of its identity.
    ///
    /// - Throws: ``CommandFailure`` if none or several are meant.
    package func pool(named text: String) throws(CommandFailure) -> Pool {
        do {
            let id = try names.pool(matching: text).id
            return Self.found(pools.first { $0.id == id })
        } catch {
            throw misnamed(
                error,
                devices.first { $0.name == text }.map { device in
                    let pool = pools.first { $0.id == device.device.poolID }?.name
                    return "\"\(text)\" is a device"
                        + (pool.map { ": name its pool, \"\($0)\"" }
                            ?? " without a pool: give it one with poolsensors device edit \"\(text)\" --pool POOL")
                })
        }
    }

    /// The device whose readings a person asks for; a removed one must be given by its whole identity.
    ///
    /// - Throws: ``CommandFailure`` if none or several are meant.
    package func deviceWithReadings(named text: String) throws(CommandFailure) -> DeviceID {
        do {
            return try names.device(matching: text).id
        } catch {
            guard let id = DeviceID(text) else { throw CommandFailure(error) }
            return id
        }
    }

    /// The watch that a person means by its name.
    ///
    /// - Throws: ``CommandFailure`` if there is no such watch.
    package func watch(named name: String) throws(CommandFailure) -> WatchConnection {
        guard let watch = watches.first(where: { $0.name == name }) else {
            throw CommandFailure(ConfigurationError.notFound(.watch, name, known: watches.map(\.name).sorted()))
        }
        return watch
    }

    /// The watch that a person means by its name, or by the start of its key.
    ///
    /// - Throws: ``CommandFailure`` if none or several are meant.
    package func watch(namedOrKeyed text: String) throws(CommandFailure) -> WatchConnection {
        if let named = watches.first(where: { $0.name == text }) { return named }
        let start = text.lowercased()
        let found = start.count >= 4 ? watches.filter { $0.id.digits.hasPrefix(start) } : []
        guard found.count < 2 else {
            throw CommandFailure("\(found.count) watches have a key that begins with \(text): give more of it")
        }
        guard let watch = found.first else {
            throw CommandFailure(
                missingWatch(text)
                    + (watches.isEmpty
                        ? "; invite one with: poolsensors pair"
                        : ". A watch that was unpaired gets nothing: pair it again"),
                exitStatus: .notFound)
        }
        return watch
    }

    private func missingWatch(_ name: String) -> String {
        guard !watches.isEmpty else { return "there is no watch named \(name): none is paired yet" }
        let names = watches.map(\.name)
        return "there is no watch named \(name); "
            + (NearMiss.nearest(to: name, in: names).map { "did you mean \($0)? " } ?? "")
            + "there are: \(names.sorted().joined(separator: ", "))"
    }

    /// An open conflict, given by the start of its identity.
    ///
    /// - Throws: ``CommandFailure`` if none or several are meant.
    package func conflict(named text: String) throws(CommandFailure) -> ConflictID {
        do {
            return try ConflictNameError.match(text, among: conflicts.map(\.id))
        } catch {
            throw CommandFailure(error)
        }
    }

    /// The names and identities, in the form that the model searches.
    private var names: PoolConfiguration {
        PoolConfiguration(servers: servers.map(\.server), devices: devices.map(\.device), pools: pools)
    }

    private static func meant<ID>(_ find: () throws(ConfigurationError) -> ID) throws(CommandFailure) -> ID {
        do {
            return try find()
        } catch {
            throw CommandFailure(error)
        }
    }

    private static func found<Record>(_ record: Record?) -> Record {
        guard let record else { preconditionFailure("a thing was found in a state that does not have it") }
        return record
    }
}
