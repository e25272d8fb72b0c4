/// The variables of the process; passed on, so that tests can give their own.
package typealias Environment = [String: String]

extension Environment {
    /// What the names of all variables that are settings begin with.
    package static var settingPrefix: String { "POOLSENSORS_" }
}
