import PoolModel

/// A new name for a device or a pool, checked while it is typed.
struct NameForm: Equatable, Sendable {
    /// The object that gets the name.
    enum Owner: Hashable, Sendable {
        case device(DeviceID)
        case pool(PoolID)
    }

    let owner: Owner
    let oldName: String
    var entry: LineEntry

    init(_ owner: Owner, name: String) {
        self.owner = owner
        oldName = name
        entry = LineEntry(name, limit: 256)
    }

    /// The name without surrounding blanks.
    var name: String {
        var characters = entry.characters[...]
        while characters.first == " " { characters.removeFirst() }
        while characters.last == " " { characters.removeLast() }
        return String(characters)
    }

    /// What is wrong with the name, as text; nil if it is valid.
    var objection: String? {
        switch owner {
        case .device: WatchConfiguration.objection(toName: name, of: .device)
        case .pool: WatchConfiguration.objection(toName: name, of: .pool)
        }
    }

    var edit: WatchEdit {
        switch owner {
        case .device(let id): .renameDevice(id, to: name)
        case .pool(let id): .renamePool(id, to: name)
        }
    }
}
