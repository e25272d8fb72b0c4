import CommandSupport
import Foundation

/// Settings of this program.
extension Settings {
    /// Creates the settings of a command from its flags, its variables and the configuration file.
    init(flags: [String: String], environment: Environment, file: SettingsFile?) {
        self.init(flags: flags, environment: environment, file: file, app: .poolsensors)
    }
}

extension SettingsFile {
    /// Reads this program's file at a location; nil if it does not exist and neither flag nor variable names it.
    ///
    /// - Throws: ``CommandFailure`` with the file, the key, the value, and the allowed values.
    init?(at location: Location) throws {
        try self.init(at: location, catalog: Catalog.all, app: .poolsensors)
    }

    /// Reads the bytes of this program's file.
    init(path: String, bytes: Data) throws {
        try self.init(path: path, bytes: bytes, catalog: Catalog.all, app: .poolsensors)
    }
}

extension SettingsFile.Location {
    /// Determines the path of this program's file: the flag, then the variable, then the user's configuration folder.
    init(flag: String?, environment: Environment) {
        self.init(flag: flag, environment: environment, app: .poolsensors)
    }
}
