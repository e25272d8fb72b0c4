package import Commands
import Foundation

/// The programs of a PostgreSQL server on this machine.
package struct Installation: Sendable {
    /// The oldest server that is used; 15.18 damages a table when rows are locked in a search for the nearest.
    package static let versionMin = (major: 15, minor: 20)
    /// The packages of Debian that make it complete.
    package static let packages = "postgresql-15 postgresql-15-postgis-3"

    /// The folder of the programs.
    package let programs: String
    /// The version, such as `15.20`.
    package let version: String

    /// Finds the newest server of this machine.
    ///
    /// - Throws: ``CommandFailure`` that names what is missing, or the version that is too old, and the command that installs it.
    package init(environment: Environment) async throws {
        let folder = "/usr/lib/postgresql"
        let majors = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).compactMap { Int($0) }
        let candidates =
            majors.sorted(by: >).map { "\(folder)/\($0)/bin" }
            + [LocalTools.path(of: "postgres", environment: environment)].compactMap(\.self).map {
                URL(filePath: $0).deletingLastPathComponent().path
            }
        guard
            let programs = candidates.first(where: {
                FileManager.default.isExecutableFile(atPath: "\($0)/postgres")
                    && FileManager.default.isExecutableFile(atPath: "\($0)/initdb")
            })
        else {
            throw CommandFailure(
                "PostgreSQL is not installed; \(Self.advice)", exitStatus: .notFound)
        }
        self.programs = programs
        let words = try await output(of: "\(programs)/postgres", ["--version"], environment: environment)
        version = words.split(separator: " ").first { $0.first?.isNumber == true }.map(String.init) ?? ""
        try Self.check(version, of: "\(programs)/postgres")
        let extensionFile = URL(filePath: programs).deletingLastPathComponent().lastPathComponent
        let control = "/usr/share/postgresql/\(extensionFile)/extension/postgis.control"
        if programs.hasPrefix(folder), !FileManager.default.fileExists(atPath: control) {
            throw CommandFailure(
                "PostGIS is not installed for PostgreSQL \(extensionFile); \(Self.advice)", exitStatus: .notFound)
        }
    }

    /// Refuses a server that is too old.
    ///
    /// - Throws: ``CommandFailure`` with its name and its version.
    package static func check(_ version: String, of server: String) throws {
        let numbers = version.split(separator: ".").map { Int($0) ?? 0 }
        let isNew = (numbers.first ?? 0, numbers.dropFirst().first ?? 0) >= versionMin
        guard isNew else {
            throw CommandFailure(
                "\(server) is PostgreSQL \(version), and \(versionMin.major).\(versionMin.minor) or newer is needed, since "
                    + "15.18 damages tables when rows are locked in a search for the nearest; \(advice)")
        }
    }

    /// How to install it.
    package static let advice = "install it with: .ci/install \(packages)"
}

/// What a program prints, which must end well.
///
/// - Throws: ``CommandFailure`` with its last lines.
package func output(of path: String, _ arguments: [String], environment: Environment) async throws -> String {
    let pipe = try PipeLines()
    let child = try ChildProcess(
        path, arguments, environment: environment, files: (nil, pipe.writingEnd, pipe.writingEnd))
    pipe.closeWritingEnd()
    let (lines, source) = AsyncStream<String>.makeStream()
    pipe.read({ source.yield($0) }, onEnd: { source.finish() })
    var text: [String] = []
    for await line in lines { text.append(line) }
    let end = await child.ended()
    guard end == .exited(0) else {
        throw CommandFailure("\(path) \(end): \(text.suffix(3).joined(separator: " "))")
    }
    return text.joined(separator: "\n")
}
