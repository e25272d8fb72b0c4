package import ArgumentParser
package import Commands
import PoolWatch
package import SyncCore

extension AppName {
    /// PoolSensors.
    package static let poolsensors = WatchFolder.app
}

/// The settings of PoolSensors.
extension Setting {
    /// The help of the flag.
    package var help: ArgumentHelp { help(of: .poolsensors) }
}

extension SettingEntry {
    /// The name of the environment variable: `hub.listen` is `POOLSENSORS_HUB_LISTEN`.
    package var variable: String { variable(of: .poolsensors) }
}
