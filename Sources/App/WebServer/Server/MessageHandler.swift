import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// What HTTP asks of a server beside the messages themselves: versions before 1.1, `Expect` and `Connection: close`.
///
/// Source: RFC 9110, section 10.1.1; RFC 9112, sections 3.2 and 9.
// All is called on the channel's event loop.
final class MessageHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// What the answer to a request must be like.
    private struct Manner {
        var isOld: Bool
        var isLast: Bool
    }

    private let host: String?
    private let bodyByteCountMax: Int
    /// Of the requests that have no answer yet.
    private var manners: [Manner] = []

    /// Creates a handler.
    ///
    /// - Parameters:
    ///   - host: The host of a request that has none and need have none. No browser sends such a request.
    ///   - bodyByteCountMax: A body that says to be longer is not asked for.
    init(host: String?, bodyByteCountMax: Int) {
        self.host = host
        self.bodyByteCountMax = bodyByteCountMax
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
        let isOld = head.version == .http1_0 || head.version == .http0_9
        let words = head.headers[canonicalForm: "connection"].map { $0.lowercased() }
        let isLast = isOld || words.contains("close")
        manners.append(Manner(isOld: isOld, isLast: isLast))
        if isLast { head.headers.replaceOrAdd(name: "connection", value: "close") }
        if isOld {
            if let host, !head.headers.contains(name: "host") { head.headers.add(name: "host", value: host) }
        } else if head.headers[canonicalForm: "expect"].contains(where: { $0.lowercased() == "100-continue" }),
            head.headers.first(name: "content-length").flatMap({ Int($0) }) ?? 0 <= bodyByteCountMax,
            // Before it there must be no answer in between.
            manners.count == 1
        {
            let response = HTTPResponseHead(version: .http1_1, status: .continue)
            context.writeAndFlush(wrapOutboundOut(.head(response)), promise: nil)
        }
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head):
            if let manner = manners.first {
                if manner.isOld { head.version = .http1_0 }
                if manner.isLast { head.headers.replaceOrAdd(name: "connection", value: "close") }
            }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .end:
            if !manners.isEmpty { manners.removeFirst() }
            context.write(data, promise: promise)
        case .body: context.write(data, promise: promise)
        }
    }
}

/// Connections of HTTP/1.1 with a ``MessageHandler`` between the bytes and the server.
struct MessageChannel: ServerChildChannel {
    typealias Value = HTTP1Channel.Value

    let base: HTTP1Channel
    let host: String?
    let bodyByteCountMax: Int

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        base.setup(channel: channel, logger: logger).flatMapThrowing { [host, bodyByteCountMax] value in
            let operations = channel.pipeline.syncOperations
            let decoder = try operations.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try operations.addHandler(
                MessageHandler(host: host, bodyByteCountMax: bodyByteCountMax), position: .after(decoder))
            return value
        }
    }

    func handle(value: Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}
