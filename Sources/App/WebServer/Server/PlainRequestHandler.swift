import HummingbirdCore
import Logging
import NIOCore

/// Tells a client that speaks HTTP without TLS to a port with TLS where to go.
// All is called on the channel's event loop.
final class PlainRequestHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum State {
        case undecided
        case tls
        case plain
        case answered
    }

    /// The most bytes that are looked at; what comes after them is not needed for the answer.
    private static let byteCountMax = 4096

    private let hosts: Set<String>
    private var state = State.undecided
    private var seen: [UInt8] = []

    /// Creates a handler for a server with these hosts.
    init(hosts: Set<String>) { self.hosts = hosts }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .undecided = state, let first = unwrapInboundIn(data).readableBytesView.first {
            // A method begins with a letter, a message of TLS with a small number.
            state = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first) ? .plain : .tls
        }
        switch state {
        case .undecided, .tls: context.fireChannelRead(data)
        case .answered: return
        case .plain:
            seen += unwrapInboundIn(data).readableBytesView.prefix(Self.byteCountMax - seen.count)
            let text = String(decoding: seen, as: UTF8.self)
            guard text.contains("\r\n\r\n") || text.contains("\n\n") || seen.count >= Self.byteCountMax else { return }
            state = .answered
            let answer = Self.answer(to: text, hosts: hosts)
            let channel = context.channel
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer))).whenComplete { _ in
                channel.close(promise: nil)
            }
        }
    }

    /// The answer to the beginning of a request.
    static func answer(to request: String, hosts: Set<String>) -> String {
        let lines = request.split(whereSeparator: \.isNewline)
        let words = lines.first?.split(separator: " ") ?? []
        let host =
            lines.dropFirst().first { $0.lowercased().hasPrefix("host:") }
            .map { $0.dropFirst(5).trimmingPrefix(while: \.isWhitespace) }.map(String.init) ?? ""
        let isKnown = hosts.contains(host.lowercased())
        let address = "https://\(isKnown ? host.lowercased() : "…")/"
        let body = "This port speaks HTTPS only: open \(address)\n"
        var fields =
            "Content-Type: text/plain; charset=utf-8\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n"
        var status = "400 Bad Request"
        // Only a host of this server, so that nobody is sent elsewhere.
        if isKnown, words.count == 3, ["GET", "HEAD"].contains(words[0]), words[1].hasPrefix("/") {
            status = "308 Permanent Redirect"
            fields += "Location: https://\(host.lowercased())\(words[1])\r\n"
        }
        return "HTTP/1.1 \(status)\r\n\(fields)\r\n" + (words.first == "HEAD" ? "" : body)
    }
}

/// Connections with TLS that tell plain requests so.
struct PlainRequestChannel<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base
    let hosts: Set<String>

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(PlainRequestHandler(hosts: hosts))
        }.flatMap { [base] in base.setup(channel: channel, logger: logger) }
    }

    func handle(value: Base.Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}
