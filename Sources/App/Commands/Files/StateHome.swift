import Foundation

/// Where programs keep what they have.
///
/// Source: XDG Base Directory Specification, "XDG_STATE_HOME".
package enum StateHome {
    /// The absolute folder of a program: what was chosen, or else the usual one.
    ///
    /// - Parameters:
    ///   - program: The name of the program.
    ///   - chosen: A path, which may begin with `~/` or be relative; nil if nothing was chosen.
    ///   - environment: The environment of the process.
    /// - Returns: The path, without what is double in it.
    package static func folder(of program: String, chosen: String?, environment: Environment) -> String {
        guard let chosen else { return standard(of: program, environment) }
        let home = environment["HOME"] ?? "/"
        let path = chosen == "~" || chosen.hasPrefix("~/") ? home + chosen.dropFirst() : chosen
        return URL(filePath: path).standardized.path
    }

    /// The usual folder of a program.
    package static func standard(of program: String, _ environment: Environment) -> String {
        let base = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return (base ?? "\(environment["HOME"] ?? "")/.local/state") + "/\(program)"
    }

    /// Creates a folder that only this user can read, unless it is there.
    ///
    /// - Throws: ``CommandFailure`` with the way out.
    package static func make(_ path: String, mode: Int = 0o700) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: mode])
        } catch {
            throw CommandFailure(
                "cannot create \(path): \(SystemErrorText.of(error)); choose another folder with --state")
        }
    }
}
