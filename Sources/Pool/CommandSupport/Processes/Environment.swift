/// The environment variables of the process; passed as a value, so that tests can use others.
package typealias Environment = [String: String]

extension Environment {
    /// The prefix of the variables that are settings.
    package static var settingPrefix: String { "POOLSENSORS_" }
}
