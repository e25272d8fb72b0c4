/// Where the phone and the watches of an app keep what they have, on one machine.
package protocol CompanionFolders {
    /// The folder of everything.
    var folder: String { get }
}

extension CompanionFolders {
    /// The folder of the phone.
    package var phoneFolder: String { "\(folder)/phone" }

    /// The folder of the watch of a name.
    package func watchFolder(_ name: String) -> String { "\(folder)/watches/\(name)" }

    /// Where the phone and the watches of one machine find each other.
    package var meetingFolder: String { "\(folder)/meeting" }
}
