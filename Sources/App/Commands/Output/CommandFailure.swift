import Foundation
import Text

/// Why a command failed: one sentence with the thing, the value and what to do.
package struct CommandFailure: ExitCoded, CustomStringConvertible {
    /// The sentence.
    package let description: String
    /// The exit code of the command.
    package let exitStatus: ExitStatus

    package init(_ description: String, exitStatus: ExitStatus = .failure) {
        self.description = description
        self.exitStatus = exitStatus
    }

    /// The failure of a command because of another error.
    package init(_ error: any Error) {
        self =
            error as? CommandFailure
            ?? CommandFailure(
                Self.options.reduce("\(error)") { $0.replacing($1.key, with: $1.value) },
                exitStatus: (error as? any ExitCoded)?.exitStatus ?? .failure)
    }

    /// The options that stand for variables of WatchConnectivity, which its errors name.
    private static let options = [
        "WATCHCONNECTIVITY_ENDPOINT ": "--listen ", "WATCHCONNECTIVITY_INVITATION ": "--code ",
        "WATCHCONNECTIVITY_NAME ": "--name ",
    ]

    /// A file cannot be read.
    ///
    /// - Parameters:
    ///   - what: What it holds, such as `the password file`.
    ///   - path: The file.
    ///   - error: The error of Foundation.
    /// - Returns: The failure.
    package static func unreadable(_ what: String, _ path: String, _ error: any Error) -> CommandFailure {
        CommandFailure(
            "cannot read \(what) \(path): \(SystemErrorText.of(error))",
            exitStatus: FileManager.default.fileExists(atPath: path) ? .failure : .notFound)
    }

    /// Not all of standard output could be written, because of a system error.
    package static func incompleteOutput(_ number: Int32) -> CommandFailure {
        CommandFailure(
            "standard output is incomplete: \(SystemErrorText.of(number: number)); free space, or write elsewhere")
    }
}

/// The system's texts for errors.
package enum SystemErrorText {
    /// The text for an error of Foundation, without the names of its types.
    package static func of(_ error: any Error) -> String {
        if let error = error as? CanonicalJSON.Failure { return error.reason }
        if case DecodingError.dataCorrupted(let context) = error {
            return context.underlyingError.map(of) ?? context.debugDescription
        }
        let bridged = error as NSError
        if let underlying = bridged.userInfo[NSUnderlyingErrorKey] as? any Error { return of(underlying) }
        if bridged.domain == NSPOSIXErrorDomain { return of(number: Int32(bridged.code)) }
        return bridged.userInfo[NSDebugDescriptionErrorKey] as? String ?? bridged.localizedDescription
    }

    /// The text for an error number.
    package static func of(number: Int32) -> String {
        // The C library's text is copied before anything else can change it.
        unsafe String(cString: strerror(number))
    }
}
