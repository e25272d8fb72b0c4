package import SyncCore

/// The environment variables of the process; passed as a value, so that tests can use others.
package typealias Environment = [String: String]

/// The variables of an app's programs are named after it.
extension AppName {
    /// The beginning of the variables that are settings, such as `LAMPS_`.
    package var variablePrefix: String { text.uppercased().replacing(".", with: "_") + "_" }

    /// The variable with the path of the configuration file.
    package var configurationVariable: String { variablePrefix + "CONFIG" }
}
