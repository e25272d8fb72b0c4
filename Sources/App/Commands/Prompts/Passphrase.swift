package import ArgumentParser
import Foundation

/// The flags for the source of a passphrase; it is never an argument, since every user of the machine can read
/// arguments.
package struct PassphraseOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The file whose first line is the passphrase.", valueName: "file"))
    package var passphraseFile: String?

    @Flag(help: "Read the passphrase from standard input.")
    package var passphraseStdin = false

    /// Creates the flags, not given.
    package init() {}

    package func validate() throws {
        if passphraseFile != nil, passphraseStdin {
            throw ValidationError("give --passphrase-file or --passphrase-stdin, not both")
        }
    }

    /// Reads the passphrase from its source; at a terminal the person is asked, twice for a new one.
    ///
    /// - Throws: ``CommandFailure`` if there is none.
    package func read(isNew: Bool) async throws -> String {
        if let passphraseFile {
            return Passphrase.normal(try SecretFile.firstLine(of: passphraseFile, holding: "passphrase"))
        }
        if passphraseStdin {
            guard let line = readLine(strippingNewline: true) else {
                throw CommandFailure("there is no passphrase on standard input")
            }
            return Passphrase.normal(line)
        }
        guard Prompt.isAvailable else {
            throw CommandFailure(
                "there is no terminal to type the passphrase at: give --passphrase-file FILE or --passphrase-stdin")
        }
        let first = Passphrase.normal(try await SecretPrompt.read("Passphrase"))
        guard isNew else { return first }
        return try Passphrase.confirmed(first, by: Passphrase.normal(try await SecretPrompt.read("The same once more")))
    }
}

/// Prepares passphrases.
package enum Passphrase {
    /// The normalised passphrase: keyboards write `é` in one code point or in two.
    ///
    /// Source: RFC 8265, section 4.2 (the profile OpaqueString): Normalization Form C.
    package static func normal(_ text: String) -> String { text.precomposedStringWithCanonicalMapping }

    /// A new passphrase that was typed twice.
    ///
    /// - Throws: ``CommandFailure`` if the two differ.
    package static func confirmed(_ first: String, by second: String) throws -> String {
        guard first == second else {
            throw CommandFailure("the two passphrases are not the same; nothing was written, so try again")
        }
        return first
    }
}
