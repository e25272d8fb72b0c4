import Foundation

/// Why a command cannot do what it was asked: one sentence with the thing, the value and the way out.
package struct CommandFailure: Error, CustomStringConvertible {
    /// The sentence.
    package let description: String
    /// The status with which the process ends.
    package let exitStatus: Int32

    package init(_ description: String, exitStatus: Int32 = 1) {
        self.description = description
        self.exitStatus = exitStatus
    }

    /// Not all of standard output could be written, for a reason of the system.
    package static func incompleteOutput(_ number: Int32) -> CommandFailure {
        CommandFailure(
            "standard output is incomplete: \(SystemErrorText.of(number: number)); free space, or write elsewhere")
    }
}

/// The statuses with which commands end.
package enum ExitStatus {
    /// The command line is wrong, as in sysexits(3).
    package static let usage: Int32 = 64
}

/// What the system says of an error.
package enum SystemErrorText {
    /// The words for an error of Foundation, without the names of its types.
    package static func of(_ error: any Error) -> String {
        if case DecodingError.dataCorrupted(let context) = error {
            return context.underlyingError.map(of) ?? context.debugDescription
        }
        let bridged = error as NSError
        if let underlying = bridged.userInfo[NSUnderlyingErrorKey] as? any Error { return of(underlying) }
        if bridged.domain == NSPOSIXErrorDomain { return of(number: Int32(bridged.code)) }
        return bridged.userInfo[NSDebugDescriptionErrorKey] as? String ?? bridged.localizedDescription
    }

    /// The words for an error number.
    package static func of(number: Int32) -> String {
        // The C library's text is copied before anything else can change it.
        unsafe String(cString: strerror(number))
    }
}
