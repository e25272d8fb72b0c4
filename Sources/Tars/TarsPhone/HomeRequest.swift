package import Appliances
package import TarsApp
package import TarsModel
import Text

/// What commands on the phone's machine ask of it.
package enum HomeRequest: Codable, Sendable {
    /// Show the home.
    case view
    /// Show the home when it is another one than that of this time; after some seconds anyway.
    case next(after: Timestamp?)
    /// Which devices are near, paired or not?
    case scan
    /// Pair a motor device near by.
    case pair(serial: Serial, pin: String?, name: String, room: String?)
    /// What announced itself at the broker, and is not in the home?
    case discover
    /// Ask a Shelly at a prefix what it has, and list it with the rest.
    case askShelly(prefix: String)
    /// Take what announced itself into the home, under a name.
    case adopt(key: String, name: String?, room: String?)
    /// Take in the first relay at a Tasmota topic.
    case addTasmota(topic: String, name: String, room: String?)
    /// Rename a thing, put it into a room, or make its actions need a confirmation.
    case edit(thing: String, name: String?, room: String?, confirm: Bool?)
    /// Remove a thing; a motor device forgets its owner.
    case remove(thing: String)
    /// Define a shortcut, or define it again.
    case define(Shortcut)
    /// Define a scene, or define it again.
    case defineScene(Scene)
    /// Remove a shortcut or a scene.
    case forget(name: String)
    /// Carry out a command, and wait until it is settled.
    case perform(WatchCommand, Appliances.Command.ID)
    /// The edits that lost against newer ones.
    case conflicts
    /// Bring back what lost, or forget it.
    case settle(String, restoring: Bool)
    /// A code for a new watch.
    case invite
    /// The watches, and what they may do.
    case watches
    /// Let a watch do something, or not any more.
    case grant(watch: String, grant: String, isGiven: Bool)

    /// Whether a thing may move by it.
    package var isCommand: Bool { if case .perform = self { true } else { false } }
}

/// The answer.
package enum HomeReply: Codable, Sendable {
    case view(HomeView)
    case near([Near])
    /// What announced itself; and what of it is not shown, and why, for people.
    case discovered([Announced], left: [String])
    case status(CommandStatus)
    case code(String)
    case watches([Watch])
    case conflicts([Lost])
    /// It is done, in a sentence.
    case done(String)
    /// It cannot be done, in a sentence with the way out.
    case problem(String)

    /// A device near by.
    package struct Near: Codable, Hashable, Sendable {
        /// Its serial number.
        package var serial: Serial
        /// How strong it is heard, in dBm.
        package var rssi: Int
        /// What it is called at home; nil if it is not paired.
        package var name: String?
    }

    /// Something that announced itself at the broker.
    package struct Announced: Codable, Hashable, Sendable {
        /// By which it is taken in.
        package var key: String
        /// What it calls itself.
        package var name: String
        /// Which dialect it speaks.
        package var dialect: Dialect
        /// What it is.
        package var kind: Appliance.Kind
        /// What of its announcement is not followed, for people.
        package var notes: [String]
    }

    /// An edit that lost.
    package struct Lost: Codable, Hashable, Sendable {
        /// By which it is settled.
        package var id: String
        /// What lost, whose it was, and what is now.
        package var words: String
    }

    /// A watch.
    package struct Watch: Codable, Hashable, Sendable {
        /// Its name.
        package var name: String
        /// What it may do.
        package var grants: [String]
    }
}
