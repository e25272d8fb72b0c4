package import SyncCore

/// Something that happens in a virtual world; whoever runs the world plans things of a kind of its own.
package enum WorldObservation<Plan> {
    /// The hub's engine is about to be given an input.
    case hubTakes(HubEngine.Input)
    case watchTakes(Int, WatchEngine.Input)
    /// An engine has put something out, which was carried out already.
    case hubOutput(HubEngine.Output)
    case watchOutput(Int, WatchEngine.Output)
    /// An engine has nothing more to put out after an input, nil if its process has just started.
    case hubRests(HubEngine.Input?)
    case watchRests(Int, WatchEngine.Input?)
    /// What pairs a watch was given an input, and wants this.
    case pairing(Int, PairingClient.Action)
    /// A frame is sent on a connection.
    case sends(Frame, VirtualNetwork.Message)
    /// What becomes of a frame that was sent to a side.
    case fate(VirtualLink.Fate, FrameKind, to: Side, connection: Int)
    /// A message is about to be given to a process.
    case arrives(VirtualNetwork.Message)
    /// The process has done what it does about a message.
    case arrived(VirtualNetwork.Message)
    /// A message arrives late, after its connection has ended.
    case delays(VirtualNetwork.Message)
    /// A disk takes unusually long to keep a record.
    case slowWrite(DeviceID)
    /// A disk has kept a record, or has failed to.
    case hubWrote(HubRecord, isKept: Bool)
    case watchWrote(Int, WatchEngine.Record, isKept: Bool)
    /// The engine is about to learn what became of a record.
    case hubStored(HubRecord, isKept: Bool)
    /// A disk fails to do something with a file.
    case fileFails(Side)
    /// A watch has a connection.
    case connects(Int, connection: Int)
    /// A handshake waits for a hub that stands still.
    case handshakeWaits(Int)
    case handshakeFails(Int, ConnectionSupervisor.HandshakeFailure)
    /// The system had no room for a socket.
    case socketDenied(Int)
    /// A watch learns that its connection is gone.
    case hangsUp(Int, connection: Int)
    /// The moment has come that a side wanted to be told of.
    case alarm(Side)
    /// The time of a plan has come.
    case due(Plan)
    /// A device has lost its power, as it was planned.
    case lostPower(DeviceID)
}
