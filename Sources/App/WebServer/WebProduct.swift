package import SyncCore

/// What a page is called, and what its accounts are granted: all that its server says of the app.
package struct WebProduct: Sendable {
    /// What accounts are granted one by one, such as the houses of an app for lamps.
    package struct Scope: Sendable {
        /// What one is called in a sentence, such as `house`.
        package var noun: String
        /// What all of them are called.
        package var plural: String
        /// The member of JSON with the identity of one, such as `houseID`.
        package var member: String
        /// The path of their list.
        package var path: String
        /// The command that lists them.
        package var listCommand: String
        /// The identity as it is stored, in one form for each; nil for another text.
        package var identity: @Sendable (String) -> String?

        /// Describes what is granted.
        package init(
            noun: String, plural: String, member: String, path: String, listCommand: String,
            identity: @escaping @Sendable (String) -> String?
        ) {
            self.noun = noun
            self.plural = plural
            self.member = member
            self.path = path
            self.listCommand = listCommand
            self.identity = identity
        }
    }

    /// The app: its cookies, and the names of its kinds of problems, begin with it.
    package var app: AppName
    /// What people call it; certificates have it.
    package var name: String
    /// The command of the page, such as `lamps web`.
    package var command: String
    /// What accounts are granted.
    package var scope: Scope
    /// Words of the app with which people begin bad passwords, in lower case.
    package var commonWords: [String]

    /// Describes a page.
    package init(app: AppName, name: String, command: String, scope: Scope, commonWords: [String] = []) {
        self.app = app
        self.name = name
        self.command = command
        self.scope = scope
        self.commonWords = commonWords
    }
}
