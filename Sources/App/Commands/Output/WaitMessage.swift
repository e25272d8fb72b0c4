/// The message for a person while a command waits for a folder that another process uses.
package enum WaitMessage {
    /// Writes the message on standard error.
    package static func write(_ error: any Error) {
        Output.errors.line("waiting: \(error)")
    }
}
