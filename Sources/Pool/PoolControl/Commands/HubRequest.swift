/// A command with the type of its reply: what one asks a hub.
///
/// `HubReply.swift` has one for each command. Where a program treats all commands alike, as the hub and the terminal's
/// screens do, it uses ``HubCommand`` and ``HubReply``.
package struct HubRequest<Reply: Sendable>: Sendable {
    /// The command.
    package let command: HubCommand
    /// The reply in what the hub sent; nil if that is something else.
    private let read: @Sendable (HubReply) -> Reply?

    init(_ command: HubCommand, _ read: @escaping @Sendable (HubReply) -> Reply?) {
        self.command = command
        self.read = read
    }

    /// The reply in what the hub sent.
    ///
    /// - Throws: ``HubRequestError`` if it is no reply to this request.
    package func reply(in answer: HubReply) throws(HubRequestError) -> Reply {
        if let reply = read(answer) { return reply }
        switch answer {
        case .refused(let sentence): throw .refused(sentence)
        case .revisionMoved(let revision): throw .revisionMoved(revision)
        case .serverHasDevices(let server, let devices): throw .serverHasDevices(server: server, devices: devices)
        case .history(.deletionGrew(let readings, let expected)):
            throw .moreReadings(readings: readings, expected: expected)
        default: throw .anotherReply
        }
    }

    /// The same request on behalf of somebody, for one revision only if it is given; see
    /// ``HubCommand/edited(by:ifRevision:_:)``.
    package func authored(by author: String, ifRevision revision: UInt64? = nil) -> Self {
        Self(.edited(by: author, ifRevision: revision, command), read)
    }
}

/// Why a request got no reply; nothing was changed.
package enum HubRequestError: Error, Equatable, CustomStringConvertible {
    /// The hub refused it; the sentence says why and what to do about it.
    case refused(String)
    /// The configuration has another revision now than the request expected.
    case revisionMoved(UInt64)
    /// The server has devices, which the request does not remove.
    case serverHasDevices(server: String, devices: [String])
    /// There are more readings than the person agreed to delete.
    case moreReadings(readings: Int, expected: Int)
    /// The reply is one to another request, as from a hub of another version.
    case anotherReply

    /// The error, and what to do about it.
    package var description: String {
        switch self {
        case .refused(let sentence): return sentence
        case .revisionMoved(let revision):
            return "the configuration has changed to revision \(revision): check it and try again"
        case .serverHasDevices(let server, let devices):
            let names = devices.map { "\"\($0)\"" }.joined(separator: ", ")
            return
                "the server \"\(server)\" has the \(devices.count == 1 ? "device" : "devices") \(names): remove them "
                + "first, or all together with --with-devices"
        case .moreReadings(let readings, let expected):
            return "there are \(readings) readings now, not \(expected) as you agreed to: nothing was deleted"
        case .anotherReply: return "the hub gave another answer than it should; is it of another version?"
        }
    }
}

/// The way to a hub: the hub itself, or its control socket.
package protocol HubAsking: Sendable {
    /// Sends a command to the hub.
    ///
    /// - Returns: The reply, which may be a refusal.
    /// - Throws: The error in the command, in words, or why the hub cannot be reached.
    func perform(_ command: HubCommand) async throws -> HubReply
}

extension HubAsking {
    /// Sends a request to the hub.
    ///
    /// - Returns: The reply.
    /// - Throws: ``HubRequestError``, the error in the command, in words, or why the hub cannot be reached.
    package func ask<Reply>(_ request: HubRequest<Reply>) async throws -> Reply {
        try request.reply(in: try await perform(request.command))
    }
}
