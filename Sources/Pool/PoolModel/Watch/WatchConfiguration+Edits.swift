extension WatchConfiguration {
    /// The device that a text refers to, by the rules of ``PoolConfiguration/device(matching:)``.
    ///
    /// - Throws: ``ConfigurationError/notFound(_:_:known:)`` and ``ConfigurationError/ambiguous(_:_:candidates:)``.
    public func device(matching text: String) throws(ConfigurationError) -> WatchDevice {
        try match(text, .device, devices.map { (record: $0, name: $0.name, id: "\($0.id)") })
    }

    /// The changes that rename a device.
    ///
    /// - Throws: ``ConfigurationError`` when the name is not valid or taken, or the device does not exist.
    public func renaming(device id: DeviceID, to name: String) throws(ConfigurationError) -> [ConfigurationChange] {
        try require(id)
        try NameRule.check(name, of: .device)
        try NameRule.check(name, of: .device, isFreeAmong: devices.filter { $0.id != id }.map(\.name))
        let fields = EntryFields.Name(name: name)
        return [.upsert(EntryGroup.deviceName.entry(of: id.as(ConfigurationEntry.self), fields: fields))]
    }

    /// The changes that set the limits of a device for a quantity.
    ///
    /// Nil, or limits equal to the inherited ones, remove its own limits: those of its pool apply then, or the
    /// standard ones without a pool.
    ///
    /// - Throws: ``ConfigurationError/limitsNotOrdered(_:_:)``, or when the device does not exist.
    public func limiting(
        device id: DeviceID, _ quantity: Quantity, to limits: Limits?
    ) throws(ConfigurationError) -> [ConfigurationChange] {
        let device = try require(id)
        let group = EntryGroup.deviceLimits(quantity)
        let record = id.as(ConfigurationEntry.self)
        guard let limits, limits != device.inheritedLimits(for: quantity) else {
            return [.delete(ConfigurationEntry.Key(kind: group.kind, record: record, group: group.group))]
        }
        guard limits.isOrdered else { throw .limitsNotOrdered(quantity, limits) }
        return [.upsert(group.entry(of: record, fields: limits))]
    }

    /// The changes that select a device and its server; nil selects nothing.
    ///
    /// - Throws: ``ConfigurationError/missing(_:_:)`` when the device or its server does not exist.
    public func selecting(device id: DeviceID?) throws(ConfigurationError) -> [ConfigurationChange] {
        var selection = Selection.none
        if let id {
            let device = try require(id)
            guard server(device.serverID) != nil else { throw .missing(.server, "\(device.serverID)") }
            selection = Selection(serverID: device.serverID, deviceID: id)
        }
        let fields = EntryFields.SelectedRecords(selection)
        return [.upsert(EntryGroup.selection.entry(of: ConfigurationEntry.selectionRecord, fields: fields))]
    }

    @discardableResult
    private func require(_ id: DeviceID) throws(ConfigurationError) -> WatchDevice {
        guard let device = device(id) else { throw .missing(.device, "\(id)") }
        return device
    }
}
