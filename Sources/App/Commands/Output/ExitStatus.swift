package import ArgumentParser

/// The exit code of a command.
///
/// An app adds its own, and says in its help what each of them means there.
package struct ExitStatus: RawRepresentable, Hashable, Sendable {
    /// The number, 0…255.
    package let rawValue: Int32

    /// Creates the code of a number.
    package init(rawValue: Int32) { self.rawValue = rawValue }

    /// The command did what it should.
    package static let success = ExitStatus(rawValue: 0)
    /// It failed, or was refused.
    package static let failure = ExitStatus(rawValue: 1)
    /// A name on the command line belongs to nothing.
    package static let notFound = ExitStatus(rawValue: 5)
    /// A server cannot be reached.
    package static let unreachable = ExitStatus(rawValue: 6)
    /// A server refused the user name or the password.
    package static let badCredentials = ExitStatus(rawValue: 7)
    /// TLS to a server failed.
    package static let tlsFailed = ExitStatus(rawValue: 8)
    /// A server did not answer in time.
    package static let timeout = ExitStatus(rawValue: 9)
    /// The command line is wrong, as in sysexits(3).
    package static let usage = ExitStatus(rawValue: 64)
    /// A screen was ended because its terminal is gone.
    package static let hangUp = ExitStatus(rawValue: 129)
    /// A screen was ended by Ctrl-C.
    package static let interrupted = ExitStatus(rawValue: 130)
    /// A screen was ended by SIGTERM.
    package static let terminated = ExitStatus(rawValue: 143)
}

/// An error that ends a command with another code than ``ExitStatus/failure``.
package protocol ExitCoded: Error {
    /// The code.
    var exitStatus: ExitStatus { get }
}

extension ExitCode {
    /// The end of a command that has printed everything.
    package init(_ status: ExitStatus) { self.init(status.rawValue) }
}
