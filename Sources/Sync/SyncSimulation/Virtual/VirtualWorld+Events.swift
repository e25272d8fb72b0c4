package import SyncCore

extension VirtualWorld {
    /// Something that happens at a time.
    enum Event {
        case hub(HubEngine.Input, life: Int)
        case watch(Int, WatchEngine.Input, life: Int)
        /// The engine learns what became of a record; it has a number while it is not durable.
        case hubStored(HubRecord, number: Int?, isKept: Bool, life: Int)
        case watchStored(Int, WatchEngine.Record, number: Int?, isKept: Bool, life: Int)
        case dial(Int, life: Int, attempt: Int)
        case arrival(VirtualNetwork.Message)
        /// A watch notices that the hub has closed a connection.
        case hangUp(connection: Int)
    }

    /// Something that the applications of the devices, or who looks at the world, may want to know.
    package enum Notice {
        case hubAnswered(RequestID, HubEngine.Answer)
        case watchAnswered(RequestID, WatchEngine.Answer)
        case answered(RequestID, TransferAnswer)
        case hubEvent(HubEngine.Event)
        case watchEvent(WatchEngine.Event, Int)
        case exchangeEvent(Exchange.Event, Side)
        case fileEvent(FileExchange.Event, Side)
        /// The moment has come that a side wanted to be told of.
        case alarm(Side)
        /// The hub has paired a watch.
        case paired(Int)
        /// Something became of a frame to a side.
        case mishap(FrameKind, to: Side, VirtualLink.Mishap)
        /// A device has lost its power, as it was planned.
        case lostPower(DeviceID)
    }

    /// All that a device has stored.
    package enum StoreCopy {
        case hub(HubMemory, files: [SimulatedFiles])
        case watch(WatchEngine.State, files: SimulatedFiles)
    }
}
