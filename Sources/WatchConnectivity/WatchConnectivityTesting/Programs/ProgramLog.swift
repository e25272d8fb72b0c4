package import WatchConnectivity

/// The log of a program's run, as its apps saw it, for a ``ProgramChecker``.
package struct ProgramLog: Sendable {
    package typealias Actor = SessionProgram.Actor

    /// The kind of an item.
    package enum Kind: String, Hashable, Sendable {
        case message
        case context
        case userInfo
        case file
    }

    /// A request of an app; its number identifies it, and is part of the payload.
    package struct Request: Hashable, Sendable {
        package var number: Int
        package var kind: Kind
        package var sender: Actor
        /// The number of the sender's process.
        package var process: Int
        package var content: SessionProgram.Content
        package var wantsReply: Bool
        package var isComplication: Bool
        /// Whether the file to send exists.
        package var exists: Bool
        /// Whether the session showed that it was activated at the time of the request.
        package var wasActivated: Bool
        package var wasReachable: Bool
        package var hadCounterpart: Bool
    }

    /// An entry of the log, in the order of time.
    package enum Entry: Hashable, Sendable {
        case asked(Request)
        /// The call that sets a context returned; nil if it was accepted.
        case contextAnswered(Int, WCError.Code?)
        /// A handler of a message was called.
        case replied(Int)
        case failed(Int, WCError.Code)
        /// A handler was called before the call that it was passed to had returned.
        case handledTooEarly(Int)
        /// A transfer ended at its sender.
        case finished(Int, Kind, WCError.Code?)
        /// The app cancelled a transfer.
        case cancelled(Int)
        /// A call of an app's delegate began.
        case began(Actor, process: Int, Callback)
        /// The call returned.
        case ended(Actor, process: Int)
        /// An app's process ended, or its device lost power.
        case processEnded(Actor, process: Int, withDevice: Bool)
        /// A process called `activate()`.
        case activating(Actor, process: Int)
        /// An app was removed, or a watch unpaired: queued content may be dropped.
        case contentDropped
        /// All devices are idle.
        case atRest
        /// The devices did not become idle.
        case unsettled
        /// The faults have ended, and from now on all apps run.
        case healed
    }

    /// A call of a delegate's method.
    package struct Callback: Hashable, Sendable {
        /// The item that arrived; nil for calls without an item.
        package var arrival: Arrival?
        package var name: String
        package var appState: SessionDevice.AppState
        package var activationState: WCSessionActivationState
    }

    /// An item that arrived.
    package struct Arrival: Hashable, Sendable {
        package var number: Int
        package var kind: Kind
        /// Whether it is what was sent.
        package var isIntact: Bool
    }

    package var entries: [Entry] = []
    /// Whether a disk was full or failed at any time.
    package var hasDiskFaults = false

    package init() {}
}
