package import ArgumentParser

/// What every command that runs a watch takes: its name, and the code of a phone on another machine.
package struct WristOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The watch's name.", valueName: "name")) package var name = "Watch"
    @Option(help: ArgumentHelp("The phone's code.", valueName: "code")) package var code: String?

    package init() {}

    package func validate() throws {
        guard (1...64).contains(name.utf8.count), !name.contains("/"), !name.hasPrefix("."), !name.hasSuffix(".keys")
        else {
            throw ValidationError(
                "--name is \"\(name)\": give 1 to 64 bytes, without / and not beginning with a dot or ending with .keys"
            )
        }
    }
}
