package import WatchConnectivity

/// What happened in a run of a program, as its apps saw it: what a ``ProgramChecker`` judges.
package struct ProgramLog: Sendable {
    package typealias Actor = SessionProgram.Actor

    /// What travels.
    package enum Kind: String, Hashable, Sendable {
        case message
        case context
        case userInfo
        case file
    }

    /// Something that an app asked for; the number names it, and travels with it.
    package struct Request: Hashable, Sendable {
        package var number: Int
        package var kind: Kind
        package var sender: Actor
        /// The number of the sender's process.
        package var process: Int
        package var content: SessionProgram.Content
        package var wantsReply: Bool
        package var isComplication: Bool
        /// Whether the file that is to be sent is there.
        package var exists: Bool
        /// What the session showed when it was asked.
        package var wasActivated: Bool
        package var wasReachable: Bool
        package var hadCounterpart: Bool
    }

    /// An entry, in the order of time.
    package enum Entry: Hashable, Sendable {
        case asked(Request)
        /// The call of a context returned: nil if it was taken.
        case contextAnswered(Int, WCError.Code?)
        /// A handler of a message was called.
        case replied(Int)
        case failed(Int, WCError.Code)
        /// A handler was called while the call that gave it had not returned.
        case handledTooEarly(Int)
        /// A transfer ended at its sender.
        case finished(Int, Kind, WCError.Code?)
        /// The app cancelled a transfer.
        case cancelled(Int)
        /// An app's delegate is called.
        case began(Actor, process: Int, Callback)
        /// It has returned.
        case ended(Actor, process: Int)
        /// An app's process ended, or its device lost its power.
        case processEnded(Actor, process: Int, withDevice: Bool)
        /// A process called `activate()`.
        case activating(Actor, process: Int)
        /// An app was removed, or a watch unpaired: what was queued may be dropped (R157).
        case contentDropped
        /// Nothing is under way at any device.
        case atRest
        /// A turn did not come to rest.
        case restless
        /// The faults are over, and all apps run, for good.
        case healed
    }

    /// A call of a delegate.
    package struct Callback: Hashable, Sendable {
        /// What arrived, nil for calls that bring nothing.
        package var arrival: Arrival?
        package var name: String
        package var appState: SessionDevice.AppState
        package var activationState: WCSessionActivationState
    }

    /// Something that arrived.
    package struct Arrival: Hashable, Sendable {
        package var number: Int
        package var kind: Kind
        /// Whether what arrived is what was sent.
        package var isIntact: Bool
    }

    package var entries: [Entry] = []
    /// Whether a disk was full or failed at any time.
    package var hasDiskFaults = false

    package init() {}
}
