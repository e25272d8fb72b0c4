extension PoolConfiguration {
    /// The configuration with one more server.
    ///
    /// - Throws: ``ConfigurationError`` when a field is invalid, or the identity or the name is taken.
    public func adding(_ server: Server) throws(ConfigurationError) -> PoolConfiguration {
        try server.validate()
        guard self.server(server.id) == nil else { throw .identifierTaken(.server, "\(server.id)") }
        try NameRule.check(server.name, of: .server, isFreeAmong: servers.map(\.name))
        return with(servers: servers + [server])
    }

    /// The configuration with one more device.
    ///
    /// - Throws: ``ConfigurationError`` when a field is invalid, the identity, the name or the topic is taken, or the
    ///   server does not exist.
    public func adding(_ device: Device) throws(ConfigurationError) -> PoolConfiguration {
        guard self.device(device.id) == nil else { throw .identifierTaken(.device, "\(device.id)") }
        try check(device)
        try NameRule.check(device.name, of: .device, isFreeAmong: devices.map(\.name))
        return with(devices: devices + [device])
    }

    /// The configuration with changed fields of a server.
    ///
    /// - Throws: ``ConfigurationError`` when a field is invalid, a new name is taken, or the server does not exist.
    public func replacing(_ server: Server) throws(ConfigurationError) -> PoolConfiguration {
        try server.validate()
        guard let old = self.server(server.id) else { throw .missing(.server, "\(server.id)") }
        if server.name != old.name {
            let others = servers.filter { $0.id != old.id }
            try NameRule.check(server.name, of: .server, isFreeAmong: others.map(\.name))
        }
        return with(servers: servers.map { $0.id == server.id ? server : $0 })
    }

    /// The configuration with changed fields of a device.
    ///
    /// A selected device that moves to another server stays selected, together with that server.
    ///
    /// - Throws: ``ConfigurationError`` when a field is invalid, the topic or a new name is taken, or the device or
    ///   its new server does not exist.
    public func replacing(_ device: Device) throws(ConfigurationError) -> PoolConfiguration {
        try replacing(device, sharingName: false)
    }

    /// The same; with `sharingName` another device may have the new name, too.
    package func replacing(
        _ device: Device, sharingName: Bool
    ) throws(ConfigurationError) -> PoolConfiguration {
        guard let old = self.device(device.id) else { throw .missing(.device, "\(device.id)") }
        try check(device, movingFrom: old.serverID)
        if device.name != old.name, !sharingName {
            let others = devices.filter { $0.id != old.id }
            try NameRule.check(device.name, of: .device, isFreeAmong: others.map(\.name))
        }
        var edited = with(devices: devices.map { $0.id == device.id ? device : $0 })
        if selection.deviceID == device.id, edited.server(device.serverID) != nil {
            edited = edited.with(selection: Selection(serverID: device.serverID, deviceID: device.id))
        }
        return edited
    }

    /// The configuration without a server; if the server or one of its devices was selected, the selection is
    /// cleared.
    ///
    /// - Parameters:
    ///   - id: The server to remove.
    ///   - cascading: Whether to remove the devices of the server with it.
    /// - Returns: The new configuration.
    /// - Throws: ``ConfigurationError/serverHasDevices(_:devices:)`` when it has devices and `cascading` is false;
    ///   ``ConfigurationError/missing(_:_:)`` when there is no such server.
    public func removing(server id: ServerID, cascading: Bool = false) throws(ConfigurationError) -> PoolConfiguration {
        guard let server = server(id) else { throw .missing(.server, "\(id)") }
        let owned = devices(of: id)
        guard owned.isEmpty || cascading else { throw .serverHasDevices(server.name, devices: owned.map(\.name)) }
        return with(servers: servers.filter { $0.id != id }, devices: devices.filter { $0.serverID != id })
            .removingDanglingReferences()
    }

    /// The configuration without a device; if it was selected, only its server stays selected.
    ///
    /// - Throws: ``ConfigurationError/missing(_:_:)`` when there is no such device.
    public func removing(device id: DeviceID) throws(ConfigurationError) -> PoolConfiguration {
        guard device(id) != nil else { throw .missing(.device, "\(id)") }
        return with(devices: devices.filter { $0.id != id }).removingDanglingReferences()
    }

    /// The configuration with a selected device and its server.
    ///
    /// - Throws: ``ConfigurationError/missing(_:_:)`` when the device or its server does not exist.
    public func selecting(device id: DeviceID) throws(ConfigurationError) -> PoolConfiguration {
        guard let device = device(id) else { throw .missing(.device, "\(id)") }
        guard server(device.serverID) != nil else { throw .missing(.server, "\(device.serverID)") }
        return with(selection: Selection(serverID: device.serverID, deviceID: id))
    }

    /// The configuration with a selected server; a selected device of another server is deselected.
    ///
    /// - Throws: ``ConfigurationError/missing(_:_:)`` when there is no such server.
    public func selecting(server id: ServerID) throws(ConfigurationError) -> PoolConfiguration {
        guard server(id) != nil else { throw .missing(.server, "\(id)") }
        let keepsDevice = selectedDevice?.serverID == id
        return with(selection: Selection(serverID: id, deviceID: keepsDevice ? selection.deviceID : nil))
    }

    /// The configuration without a selection.
    public func selectingNothing() -> PoolConfiguration { with(selection: Selection.none) }

    private func check(_ device: Device, movingFrom oldServer: ServerID? = nil) throws(ConfigurationError) {
        try device.validate()
        // A device whose server was lost can still be renamed: only a new server must exist.
        guard device.serverID == oldServer || server(device.serverID) != nil else {
            throw .missing(.server, "\(device.serverID)")
        }
        if let poolID = device.poolID, pool(poolID) == nil { throw .missing(.pool, "\(poolID)") }
        if let deviceWithSameTopic = deviceWithSameTopic(of: device) {
            throw .topicTaken(device.topic, byDevice: deviceWithSameTopic.name)
        }
    }

    func with(
        servers: [Server]? = nil, devices: [Device]? = nil, pools: [Pool]? = nil, selection: Selection? = nil,
        history: HistorySettings? = nil, export: ExportSettings?? = nil, alerts: AlertSettings? = nil
    ) -> PoolConfiguration {
        PoolConfiguration(
            servers: servers ?? self.servers, devices: devices ?? self.devices, pools: pools ?? self.pools,
            selection: selection ?? self.selection, history: history ?? self.history, export: export ?? self.export,
            alerts: alerts ?? self.alerts, answers: answers)
    }

    /// The configuration with only existing records selected.
    private func removingDanglingReferences() -> PoolConfiguration {
        with(selection: Selection(serverID: selectedServer?.id, deviceID: selectedDevice?.id))
    }
}
