public import Foundation
public import WatchConnectivity

/// Who sent something: a watch, and what it may do.
public struct Caller: Hashable, Sendable {
    /// The watch.
    public var watch: SessionWatch
    /// What it may do.
    public var grants: Grants

    /// Creates a caller.
    public init(watch: SessionWatch, grants: Grants) {
        self.watch = watch
        self.grants = grants
    }
}

/// A file that arrived; it lies in the host's inbox folder and is the app's from then on.
public struct IncomingFile<Info: Sendable>: Sendable {
    /// Where it lies; move it away, or remove it when it is not needed any more.
    public var file: URL
    /// What the sender said about it.
    public var info: Info

    /// Creates a description of a file.
    public init(file: URL, info: Info) {
        self.file = file
        self.info = info
    }
}

/// The phone's part of an app; a ``PhoneHost`` calls it.
///
/// The calls for one watch come one after the other, in the order in which the watch sent; those for several watches may
/// overlap where this actor waits.
public protocol CompanionPhone: Actor {
    /// What the two sides say to each other.
    associatedtype App: CompanionApp

    /// What a watch shows now.
    ///
    /// The host asks for it when a watch is new, after everything that a watch sent was handled, and after
    /// ``PhoneHost/viewsChanged()``; it sends what differs from the last one.
    func view(for caller: Caller) async -> App.View

    /// Carries out a command, at most once for each identity, even across a restart of the process.
    ///
    /// The reply is kept before it is sent; a command that comes again gets the same one.
    func perform(_ command: App.Command, _ id: CommandID, by caller: Caller) async -> App.Reply

    /// Takes an event of a watch, each once and in order.
    ///
    /// It counts as taken when this returns. If the process ends before, or this throws, the event and those behind it come
    /// at the next start; so throw only what a restart may cure.
    func received(_ event: App.Event, from caller: Caller) async throws

    /// Takes a file of a watch, in order with its events and on the same terms.
    func received(_ file: IncomingFile<App.FileInfo>, from caller: Caller) async throws

    /// A file that was sent has arrived on the watch, with nil; or it never will, with the reason.
    ///
    /// By default nothing happens.
    func ended(_ transfer: UUID, to watch: SessionWatch, failure: String?) async
}

extension CompanionPhone {
    /// Does nothing.
    public func ended(_ transfer: UUID, to watch: SessionWatch, failure: String?) async {}
}
