extension PoolConfiguration {
    /// The configuration with one more pool.
    ///
    /// - Throws: ``ConfigurationError`` when a field is invalid, or the identity or the name is taken.
    public func adding(_ pool: Pool) throws(ConfigurationError) -> PoolConfiguration {
        try pool.validate()
        guard self.pool(pool.id) == nil else { throw .identifierTaken(.pool, "\(pool.id)") }
        try NameRule.check(pool.name, of: .pool, isFreeAmong: pools.map(\.name))
        return with(pools: pools + [pool])
    }

    /// The configuration with changed fields of a pool.
    ///
    /// - Throws: ``ConfigurationError`` when a field is invalid, a new name is taken, or the pool does not exist.
    public func replacing(_ pool: Pool) throws(ConfigurationError) -> PoolConfiguration {
        try replacing(pool, sharingName: false)
    }

    /// The same; with `sharingName` another pool may have the new name, too.
    package func replacing(_ pool: Pool, sharingName: Bool) throws(ConfigurationError) -> PoolConfiguration {
        try pool.validate()
        guard let old = self.pool(pool.id) else { throw .missing(.pool, "\(pool.id)") }
        if pool.name != old.name, !sharingName {
            try NameRule.check(pool.name, of: .pool, isFreeAmong: pools.filter { $0.id != old.id }.map(\.name))
        }
        return with(pools: pools.map { $0.id == pool.id ? pool : $0 })
    }

    /// The configuration without a pool; its devices stay, without a pool.
    ///
    /// - Throws: ``ConfigurationError/missing(_:_:)`` when there is no such pool.
    public func removing(pool id: PoolID) throws(ConfigurationError) -> PoolConfiguration {
        guard pool(id) != nil else { throw .missing(.pool, "\(id)") }
        let freed = devices.map { device in
            var device = device
            if device.poolID == id { device.poolID = nil }
            return device
        }
        return with(devices: freed, pools: pools.filter { $0.id != id })
    }

    /// The configuration with other settings for the history.
    ///
    /// - Throws: ``ConfigurationError/retentionOutOfRange(_:days:range:)``.
    public func keeping(_ history: HistorySettings) throws(ConfigurationError) -> PoolConfiguration {
        try history.validate()
        return with(history: history)
    }

    /// The configuration with other settings for alerts.
    ///
    /// - Throws: ``ConfigurationError/alertSettingsInvalid(_:)``.
    public func alerting(_ alerts: AlertSettings) throws(ConfigurationError) -> PoolConfiguration {
        try alerts.check()
        return with(alerts: alerts)
    }

    /// The configuration with other settings for the automatic export, nil for none.
    ///
    /// - Throws: ``ConfigurationError/exportFolderInvalid(_:)``.
    public func exporting(_ export: ExportSettings?) throws(ConfigurationError) -> PoolConfiguration {
        try export?.validate()
        return with(export: .some(export))
    }
}

extension AlertSettings {
    /// Checks the settings as a part of the configuration.
    func check() throws(ConfigurationError) {
        do throws(AlertSettingsError) {
            try validate()
        } catch {
            throw .alertSettingsInvalid("\(error)")
        }
    }
}
