import Platform
import SyncCore
import ZeroMQ

/// The differences between the loops of a hub and of a watch: the sockets, and the outputs of their engines.
///
/// It belongs to the thread of its loop. The loop passes the inputs that these functions return to the engine.
protocol EngineSockets: AnyObject, SendableMetatype {
    associatedtype Engine: SyncEngine
    /// Something to make durable.
    associatedtype Job: Sendable
    /// The engine's state as other threads see it.
    associatedtype View: Sendable
    /// A command of other threads for the sockets.
    associatedtype Command: Sendable

    /// The input that reports the result of a job.
    static func outcome(of job: Job, _ error: (any Error)?) -> Engine.Input
    /// The input for the transfers with a peer.
    static func transfer(_ input: TransferInput, with peer: PeerKey) -> Engine.Input

    /// Waits until something arrives or is due, at most until `deadline`; returns whether a request woke the loop.
    func wait(until deadline: Instant?) throws(ZeroMQError) -> Bool
    /// The next input from the sockets, with its time; nil when other work has to be done.
    func nextInput(_ effects: inout LoopEffects<Self>) throws(ZeroMQError) -> (Engine.Input, Moment)?
    /// Carries out an output.
    func carryOut(_ output: Engine.Output, _ effects: inout LoopEffects<Self>) throws(ZeroMQError) -> Engine.Input?
    /// Called after the engine has handled an input and its outputs were carried out.
    func stepped(_ engine: Engine)

    /// Handles an incoming message that faults held.
    func received(_ parts: [[UInt8]], from peer: PeerKey, on connection: ConnectionID) -> Engine.Input?
    /// Sends a message that faults held.
    func send(_ parts: [[UInt8]], to connection: ConnectionID) throws(ZeroMQError) -> Engine.Input?
    /// Handles a connection that a fault broke.
    func connectionBroke(_ connection: ConnectionID) -> Engine.Input?

    func handle(_ command: Command) -> Engine.Input?
    func view(of engine: Engine) -> View
}

extension Poller {
    /// Waits until a given time, or indefinitely for nil; with `Instant.past` it returns at once.
    mutating func wait(until deadline: Instant?) throws(ZeroMQError) {
        let timeout = deadline.map { $0 == .past ? .zero : max(Moment.now.monotonic.duration(to: $0), .zero) }
        _ = try wait(timeout: timeout)
    }
}

extension Instant {
    /// An instant that is always in the past.
    static let past = Instant(nanoseconds: .min)
}
