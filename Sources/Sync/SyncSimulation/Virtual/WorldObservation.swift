package import SyncCore

/// Something that happens in a virtual world; its caller plans events of its own kind.
package enum WorldObservation<Plan> {
    /// The hub's engine is about to be given an input.
    case hubTakes(HubEngine.Input)
    case watchTakes(Int, WatchEngine.Input)
    /// An engine has put something out, which was already carried out.
    case hubOutput(HubEngine.Output)
    case watchOutput(Int, WatchEngine.Output)
    /// An engine has nothing more to put out after an input, nil if its process has just started.
    case hubRests(HubEngine.Input?)
    case watchRests(Int, WatchEngine.Input?)
    /// What pairs a watch was given an input, and wants this.
    case pairing(Int, PairingClient.Action)
    /// A frame is sent on a connection.
    case sends(Frame, VirtualNetwork.Message)
    /// The outcome of a frame that was sent to a side.
    case outcome(VirtualLink.Outcome, FrameKind, to: Side, connection: Int)
    /// A message is about to be given to a process.
    case arrives(VirtualNetwork.Message)
    /// The process has handled a message.
    case arrived(VirtualNetwork.Message)
    /// A message arrives late, after its connection has ended.
    case delays(VirtualNetwork.Message)
    /// A disk needs unusually long to keep a record.
    case slowWrite(DeviceID)
    /// A disk has kept a record, or has failed to.
    case hubWrote(HubRecord, isKept: Bool)
    case watchWrote(Int, WatchEngine.Record, isKept: Bool)
    /// The engine is about to be notified of the result of a record.
    case hubStored(HubRecord, isKept: Bool)
    /// A disk fails to do something with a file.
    case fileFails(Side)
    /// A watch has a connection.
    case connects(Int, connection: Int)
    /// A handshake waits for a suspended hub.
    case handshakeWaits(Int)
    case handshakeFails(Int, ConnectionSupervisor.HandshakeFailure)
    /// The system had no room for a socket.
    case socketDenied(Int)
    /// A watch notices that its connection is gone.
    case hangsUp(Int, connection: Int)
    /// The moment has come at which a side wanted to be notified.
    case alarm(Side)
    /// The time of a plan has come.
    case due(Plan)
    /// A device has lost its power, as it was planned.
    case lostPower(DeviceID)
}
