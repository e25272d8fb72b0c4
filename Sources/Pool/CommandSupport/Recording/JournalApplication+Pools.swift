import PoolHub
import PoolWatch
import SyncCore
package import SyncSimulation

extension JournalApplication {
    /// Pools: their passwords are in no cell, so journals may contain values that must stay at the hub.
    package static let pools = JournalApplication(
        name: "pools", versions: PoolWatch.schemaVersions, hasSecrets: false
    ) { versions in
        var configuration = HubEngine.Configuration.pool()
        configuration.schema.versions = versions
        return configuration
    }
}
