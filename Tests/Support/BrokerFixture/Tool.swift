internal import Foundation

#if canImport(Glibc)
    internal import Glibc
#endif

/// A program that the fixture needs.
enum Tool: String {
    case mosquitto
    case mosquittoPassword = "mosquitto_passwd"
    case openSSL = "openssl"
    case shell = "sh"

    /// The program is not there, or said that it failed.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Where the program is.
    var path: String {
        get throws {
            // The broker is a service: its folder is not in the search path of every user.
            let folders = ["/usr/sbin", "/usr/bin", "/bin", "/usr/local/sbin", "/usr/local/bin", "/opt/homebrew/sbin"]
            let paths = (folders + ["/opt/homebrew/bin"]).map { "\($0)/\(rawValue)" }
            guard let path = paths.first(where: FileManager.default.isExecutableFile) else {
                throw Failure(description: "\(rawValue) is not installed: looked for \(paths.joined(separator: ", "))")
            }
            return path
        }
    }

    /// Where mosquitto's plugin for dynamic security is.
    static func dynamicSecurityPath() throws -> String {
        let name = "mosquitto_dynamic_security.so"
        // The first folder has one folder for each kind of processor.
        for folder in ["/usr/lib", "/usr/local/lib", "/opt/homebrew/lib"] {
            // A folder that is not there has nothing in it.
            let inner = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            let paths = ["\(folder)/\(name)"] + inner.map { "\(folder)/\($0)/\(name)" }
            if let path = paths.first(where: FileManager.default.fileExists) { return path }
        }
        throw Failure(description: "\(name) is not installed: it is part of mosquitto")
    }

    /// Runs the program to its end.
    ///
    /// - Throws: ``Failure`` unless it ends with 0.
    func run(_ arguments: [String]) async throws {
        let output = try openPipe()
        let nothing = unsafe open("/dev/null", O_RDONLY)
        let log = LineLog(reading: output.reading)
        let process: pid_t
        do {
            defer { for descriptor in [nothing, output.writing] { close(descriptor) } }
            process = try spawn(try path, arguments, files: (nothing, output.writing, output.writing))
        }
        let status = try await onThreadOfItsOwn { waitForEnd(of: process) }
        guard status != 0 else { return }
        await log.end()
        throw Failure(description: "\(rawValue) ended with \(status): \(log.lines.joined(separator: "\n"))")
    }
}
