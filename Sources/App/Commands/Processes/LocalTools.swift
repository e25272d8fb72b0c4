import Foundation
package import SyncCore

/// Finds programs and free ports on this machine.
package enum LocalTools {
    /// The path of this program.
    package static var ownPath: String {
        // If there is no such link, the name by which the program was called is used.
        let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return path ?? CommandLine.arguments[0]
    }

    /// The path of a program of this package in the folder of this one.
    ///
    /// - Throws: ``CommandFailure`` if no such program is installed.
    package static func path(beside program: String) throws -> String {
        let path = URL(filePath: ownPath).deletingLastPathComponent().appending(path: program).path
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw CommandFailure("there is no program \(path): build it, with `\(buildCommand(of: program))`")
        }
        return path
    }

    /// The command that builds a program of this package into the folder of this one.
    package static func buildCommand(of program: String) -> String {
        let folder = URL(filePath: ownPath).deletingLastPathComponent().lastPathComponent
        return "swift build \(folder == "release" ? "-c release " : "")--product \(program)"
    }

    /// The path of a program: in the search path, or in the folders of services, which are not in every user's search
    /// path.
    package static func path(of program: String, environment: Environment) -> String? {
        let searched = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
        let services = ["/usr/sbin", "/usr/local/sbin", "/opt/homebrew/sbin"]
        return (searched + services).map { "\($0)/\(program)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// The variables for children, without the user's settings, and set so that a crash never waits for a key.
    package static func childEnvironment(_ environment: Environment, of app: AppName) -> Environment {
        var variables = environment.filter { !$0.key.hasPrefix(app.variablePrefix) }
        variables["SWIFT_BACKTRACE"] = "interactive=no"
        return variables
    }

    /// Different ports of 127.0.0.1 that are free.
    ///
    /// - Throws: ``CommandFailure``.
    package static func freePorts(_ count: Int) throws -> [Int] {
        var sockets: [Int32] = []
        // All sockets stay open until all ports are found.
        defer { for socket in sockets { close(socket) } }
        return try (0..<count).map { _ in
            let descriptor = try makeSocket()
            sockets.append(descriptor)
            return try boundPort(descriptor)
        }
    }

    /// A socket that listens at a free port of 127.0.0.1, and the port.
    ///
    /// - Throws: ``CommandFailure``.
    package static func listeningSocket() throws -> (descriptor: Int32, port: Int) {
        let descriptor = try makeSocket()
        do {
            let port = try boundPort(descriptor)
            guard listen(descriptor, 16) == 0 else {
                throw CommandFailure("cannot listen at port \(port): \(SystemErrorText.of(number: errno))")
            }
            return (descriptor, port)
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// A socket that is connected to a port of 127.0.0.1.
    ///
    /// - Throws: ``CommandFailure``, for example if nobody listens there.
    package static func connectedSocket(port: Int) throws -> Int32 {
        let descriptor = try makeSocket()
        var address = loopbackAddress(port: port)
        // The call gets the address as a general socket address, with its size.
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            close(descriptor)
            throw CommandFailure("cannot connect to port \(port): \(SystemErrorText.of(number: errno))")
        }
        return descriptor
    }

    /// A TCP socket that children do not inherit.
    private static func makeSocket() throws -> Int32 {
        #if canImport(Glibc)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        #else
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        #endif
        guard descriptor >= 0 else { throw CommandFailure("no socket: \(SystemErrorText.of(number: errno))") }
        return descriptor
    }

    private static func loopbackAddress(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private static func boundPort(_ descriptor: Int32) throws -> Int {
        var address = loopbackAddress(port: 0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        // Both calls get the address as a general socket address, with its size.
        let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(descriptor, pointer, size) == 0 ? unsafe getsockname(descriptor, pointer, &size) : -1
            }
        }
        guard result == 0 else { throw CommandFailure("no free port: \(SystemErrorText.of(number: errno))") }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
