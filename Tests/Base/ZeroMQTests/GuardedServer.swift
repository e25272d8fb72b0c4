import ZeroMQ

/// A CURVE server with a ZAP handler that knows its clients by their keys.
final class GuardedServer {
    let context: Context
    let socket: Socket
    let endpoint: Endpoint
    let publicKey: CurvePublicKey
    /// The names of the clients that may come in.
    var names: [CurvePublicKey: String] = [:]
    /// The questions so far.
    private(set) var requests: [ZAPRequest] = []
    private(set) var received: [ReceivedMessage] = []
    var answersInternalError = false
    private let handler: Socket
    private var poller = Poller()

    init() throws {
        context = try Context()
        let pair = try CurveKeyPair()
        publicKey = pair.publicKey
        handler = try Socket(context, .rep)
        try handler.bind(.zap)
        var options = SocketOptions()
        options.security = .curveServer(secretKey: pair.secretKey, zapDomain: "pool")
        socket = try Socket(context, .router, options: options)
        endpoint = try socket.bind(Endpoint("tcp://127.0.0.1:*"))
        _ = poller.add(handler, for: .input)
        _ = poller.add(socket, for: .input)
    }

    /// The options of a client with a key of its own, known to the server under a name if one is given.
    func clientOptions(name: String?, serverKey: CurvePublicKey? = nil) throws -> SocketOptions {
        let pair = try CurveKeyPair()
        if let name { names[pair.publicKey] = name }
        var options = SocketOptions()
        options.security = .curveClient(keyPair: pair, serverKey: serverKey ?? publicKey)
        return options
    }

    /// A client that is connected but has not sent anything.
    func connect(_ options: SocketOptions) throws -> Socket {
        let client = try Socket(context, .dealer, options: options)
        try client.connect(to: endpoint)
        return client
    }

    /// Answers and receives until the server has so many messages.
    func serve(untilMessageCount count: Int) throws {
        try serve { received.count >= count }
    }

    /// Answers and receives until a client's monitor tells an event that fits, and returns it.
    func serve(
        until monitor: borrowing Monitor, tells fits: (MonitorEvent.Kind) -> Bool
    ) throws -> MonitorEvent.Kind {
        let item = poller.add(monitor.socket, for: .input)
        defer { poller.remove(item) }
        var found: MonitorEvent.Kind?
        try serve {
            while found == nil, let event = try monitor.nextEvent() {
                if fits(event.kind) { found = event.kind }
            }
            return found != nil
        }
        guard let found else { throw NothingHappened() }
        return found
    }

    private func serve(until isFinished: () throws -> Bool) throws {
        while true {
            while let question = try handler.receive() { try answer(question) }
            while let message = try socket.receive() { received.append(message) }
            if try isFinished() { return }
            if try poller.wait(timeout: patience) == 0 { throw NothingHappened() }
        }
    }

    private func answer(_ question: ReceivedMessage) throws {
        let request = try ZAPRequest(frames: question.frames)
        requests.append(request)
        let reply: ZAPReply
        if answersInternalError {
            reply = .internalError(requestID: request.requestID, text: "the list cannot be read")
        } else if case .curve(let key) = request.credentials, let name = names[key] {
            reply = .allow(request, userID: name)
        } else {
            reply = .deny(request)
        }
        guard try handler.send(reply.frames) == .sent else { throw NothingHappened() }
    }
}
