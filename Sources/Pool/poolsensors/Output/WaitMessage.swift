import CommandSupport

/// What a person reads while a command waits for a folder that another one works on.
enum WaitMessage {
    /// Writes it, beside what the command writes.
    static func tell(_ error: any Error) {
        Output.errors.line("waiting: \(error)")
    }
}
