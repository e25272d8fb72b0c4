import SyncCore
import ZeroMQ

/// What differs between the loops of a hub and of a watch: the sockets, and what the outputs of their engines are.
///
/// It belongs to the thread of its loop. Where a function gives an input, the engine is told it.
protocol EngineSockets: AnyObject, SendableMetatype {
    associatedtype Engine: SyncEngine
    /// Something to make durable.
    associatedtype Job: Sendable
    /// What other threads may see of the engine.
    associatedtype View: Sendable
    /// What other threads want of the sockets.
    associatedtype Command: Sendable

    /// The input that tells what became of a job.
    static func outcome(of job: Job, _ error: (any Error)?) -> Engine.Input
    /// The input that concerns the transfers with a peer.
    static func transfer(_ input: TransferInput, with peer: PeerKey) -> Engine.Input

    /// Waits until something comes or is due, at most until `deadline`; whether the bell of the requests rang.
    func wait(until deadline: Instant?) throws(ZeroMQError) -> Bool
    /// The next thing that came, with its time; nil when other work has its turn.
    func nextInput(_ effects: inout LoopEffects<Self>) throws(ZeroMQError) -> (Engine.Input, Moment)?
    /// Carries out an output.
    func carryOut(_ output: Engine.Output, _ effects: inout LoopEffects<Self>) throws(ZeroMQError) -> Engine.Input?
    /// The engine was told something, and what it wanted is done.
    func stepped(_ engine: Engine)

    /// A message comes in that faults held back.
    func received(_ parts: [[UInt8]], from peer: PeerKey, on connection: ConnectionID) -> Engine.Input?
    /// A message goes out that faults held back.
    func send(_ parts: [[UInt8]], to connection: ConnectionID) throws(ZeroMQError) -> Engine.Input?
    /// Faults broke a connection.
    func broke(_ connection: ConnectionID) -> Engine.Input?

    func handle(_ command: Command) -> Engine.Input?
    func view(of engine: Engine) -> View
}

extension Poller {
    /// Waits until a moment, without end for nil; `Instant.past` only looks.
    mutating func wait(until deadline: Instant?) throws(ZeroMQError) {
        let timeout = deadline.map { $0 == .past ? .zero : max(Moment.now.monotonic.duration(to: $0), .zero) }
        _ = try wait(timeout: timeout)
    }
}

extension Instant {
    /// A moment that has come in any case.
    static let past = Instant(nanoseconds: .min)
}
