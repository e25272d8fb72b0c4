import HTTPTypes
import HummingbirdCore
import HummingbirdTLS
package import Logging
import NIOCore
import NIOPosix
package import NIOSSL
import Platform
import ServiceLifecycle
import Text

/// The HTTP server: connections, limits and TLS around a ``WebAPI``.
package struct HTTPServer: Sendable {
    /// The limits of HTTP.
    package static let headerByteCountMax = 16 * 1024
    package static let bodyByteCountMax = 64 * 1024
    /// How much is written at a time; the next piece waits until the client has read.
    private static let pieceByteCount = 64 * 1024

    /// The ciphers of TLS 1.2: those that encrypt and authenticate in one, with keys for this connection only.
    ///
    /// Those of TLS 1.3 are all so.
    package static let ciphers: [NIOTLSCipher] = [
        .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256,
        .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
        .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
    ]

    /// Where it listens.
    package struct Address: Sendable {
        package var host: String
        package var port: Int

        package init(host: String, port: Int) {
            self.host = host
            self.port = port
        }
    }

    private let api: WebAPI
    private let address: Address
    private let tls: TLSConfiguration?
    private let logger: Logger

    /// Creates a server without TLS.
    package init(_ api: WebAPI, at address: Address, logger: Logger = Logger(label: "web")) {
        self.api = api
        self.address = address
        self.logger = logger
        tls = nil
    }

    /// Creates a server with the certificate of two files.
    ///
    /// - Throws: What is wrong with the files.
    package init(
        _ api: WebAPI, at address: Address, certificate: String, key: String, logger: Logger = Logger(label: "web")
    ) throws {
        self.api = api
        self.address = address
        self.logger = logger
        do {
            let chain = try NIOSSLCertificate.fromPEMFile(certificate).map { NIOSSLCertificateSource.certificate($0) }
            var tls = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain, privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem)))
            tls.minimumTLSVersion = .tlsv12
            tls.cipherSuiteValues = Self.ciphers
            tls.applicationProtocols = ["http/1.1"]
            self.tls = tls
        } catch {
            throw CertificateError.unusable(
                certificate: certificate, key: key, reason: "\(error)", command: api.settings.product.command)
        }
    }

    /// Serves until the task is cancelled.
    ///
    /// - Parameter onReady: Called with the port when the server listens.
    /// - Throws: If it cannot listen there.
    package func run(onReady: @escaping @Sendable (Int) -> Void) async throws {
        let settings = api.settings
        let connections = ConnectionTable(perAddress: settings.connectionsPerAddress, all: settings.connections)
        let configuration = HTTP1Channel.Configuration(
            additionalChannelHandlers: [
                ConnectionHandler(
                    connections, isBehindProxy: settings.isBehindProxy, patience: settings.headerPatience)
            ],
            idleTimeout: TimeAmount(settings.patience),
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: Self.headerByteCountMax, maxHeaderListSize: Self.headerByteCountMax,
                maxHeaderFieldCount: 100))
        let builder = HTTPServerBuilder { [tls] responder in
            let plain = MessageChannel(
                base: HTTP1Channel(responder: responder, configuration: configuration), host: settings.hosts.min(),
                bodyByteCountMax: api.bodyByteCountMax)
            guard let tls else { return plain }
            return PlainRequestChannel(
                base: try TLSChannel(plain, tlsConfiguration: tls), hosts: settings.hosts)
        }
        let server = try builder.buildServer(
            configuration: ServerConfiguration(address: .hostname(address.host, port: address.port)),
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: logger,
            responder: { [self] request, writer, channel in
                try await respond(to: request, writer, channel, connections)
            },
            onServerRunning: { channel in onReady(channel.localAddress?.port ?? address.port) })
        var group = ServiceGroupConfiguration(services: [server], logger: logger)
        // Streams of events have no end of their own.
        group.maximumGracefulShutdownDuration = .milliseconds(500)
        let services = ServiceGroup(configuration: group)
        // A cancelled server logs an error; one that is asked to shut down does not.
        let running = Task { try await services.run() }
        try await withTaskCancellationHandler {
            try await running.value
        } onCancel: {
            Task { await services.triggerGracefulShutdown() }
        }
    }

    // MARK: - One request

    @concurrent private func respond(
        to request: Request, _ writer: consuming ResponseWriter, _ channel: any Channel, _ connections: ConnectionTable
    ) async throws {
        let body: [UInt8]
        let admission: WebAPI.Admission
        do {
            admission = try await api.admit(web(request, [], channel))
            body = try await collected(request.body, admission, on: channel.eventLoop)
        } catch {
            let response = await refusal(error)
            try await writer.write(
                response: head(response), body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes(of: response))))
            // The rest of the body is not read.
            channel.close(promise: nil)
            return
        }
        connections.begin(channel)
        defer { withExtendedLifetime(admission) { connections.end(channel) } }
        let response = await api.respond(to: web(request, body, channel))
        guard request.method != .head else { return try await writer.writeResponse(head(response, isAlone: true)) }
        switch response.body {
        case .bytes(let bytes) where bytes.count <= Self.pieceByteCount:
            try await writer.write(response: head(response), body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
        case .bytes(let bytes):
            let stream = StreamWriter(
                try await writer.writeHead(head(response)), on: channel, patience: api.settings.patience)
            for start in stride(from: 0, to: bytes.count, by: Self.pieceByteCount) {
                try await stream.write(Array(bytes[start...].prefix(Self.pieceByteCount)))
            }
            try await stream.finish()
        case .stream(let write):
            // Then a client that goes closes the whole connection, which the stream sees.
            try await channel.setOption(.allowRemoteHalfClosure, value: false).get()
            let stream = StreamWriter(
                try await writer.writeHead(head(response)), on: channel, patience: api.settings.patience)
            try await write(stream)
            try await stream.finish()
        }
    }

    /// The bytes of a body, which must arrive in time.
    private func collected(
        _ body: RequestBody, _ admission: WebAPI.Admission, on eventLoop: any EventLoop
    ) async throws -> [UInt8] {
        let settings = api.settings
        let patience = settings.patience * (admission.isUpload ? settings.uploadPatienceFactor : 1)
        return try await within(patience, on: eventLoop) {
            var bytes: [UInt8] = []
            for try await part in body {
                guard bytes.count + part.readableBytes <= admission.byteCountMax else {
                    throw Problem(
                        .tooLarge, "the body has more than \(admission.byteCountMax) bytes: send less", member: "body")
                }
                bytes += part.readableBytesView
            }
            return bytes
        }
    }

    private func refusal(_ error: any Error) async -> WebResponse {
        let problem = error as? Problem ?? Problem(.badRequest, "the body did not arrive in time: send it at once")
        return problem.response(of: api.settings.product.app).with("connection", "close")
    }

    private func bytes(of response: WebResponse) -> [UInt8] {
        if case .bytes(let bytes) = response.body { bytes } else { [] }
    }

    private func web(_ request: Request, _ body: [UInt8], _ channel: any Channel) -> WebRequest {
        var headers: [String: String] = [:]
        for field in request.headers {
            let name = field.name.canonicalName
            headers[name] = headers[name].map { "\($0), \(field.value)" } ?? field.value
        }
        // The first Host is no field here. A second one makes a list of them, which is refused.
        if let host = request.head.authority { headers["host"] = headers["host"].map { "\(host), \($0)" } ?? host }
        let address = ClientAddress.text(
            peer: channel.remoteAddress?.ipAddress ?? "", forwarded: headers["x-forwarded-for"],
            isBehindProxy: api.settings.isBehindProxy)
        return WebRequest(
            // The header is the same, and the body is left out.
            method: request.method == .head ? "GET" : request.method.rawValue, target: request.head.path ?? "/",
            headers: headers, body: body,
            address: address)
    }

    /// The header of an answer; `isAlone` if no body follows, as after `HEAD`.
    private func head(_ response: WebResponse, isAlone: Bool = false) -> HTTPResponse {
        var fields = HTTPFields()
        for (name, value) in response.headers {
            guard let name = HTTPField.Name(name) else { continue }
            fields.append(HTTPField(name: name, value: value))
        }
        if case .bytes(let bytes) = response.body, response.status != 304, response.status != 204 {
            fields[.contentLength] = "\(bytes.count)"
        } else if isAlone, case .stream = response.body {
            fields[.contentLength] = "0"
        }
        return HTTPResponse(status: HTTPResponse.Status(code: response.status), headerFields: fields)
    }
}

/// Does something, and cancels it when it takes too long.
///
/// - Throws: What the work throws.
private func within<Result: Sendable>(
    _ patience: Duration, on eventLoop: any EventLoop, _ work: @escaping @Sendable () async throws -> Result
) async throws -> Result {
    let task = Task { try await work() }
    // A timer of the event loop, because the memory of a cancelled `Task.sleep` is in use until its time has come.
    let timer = eventLoop.scheduleTask(in: TimeAmount(patience)) { task.cancel() }
    defer { timer.cancel() }
    return try await withTaskCancellationHandler {
        try await task.value
    } onCancel: {
        task.cancel()
    }
}

/// Writes a body piece by piece; a client that does not read for too long is cut off.
// One task writes, one piece after the other.
private final class StreamWriter: WebStream, @unchecked Sendable {
    private var writer: any ResponseBodyWriter
    private let channel: any Channel
    private let patience: Duration

    init(_ writer: any ResponseBodyWriter, on channel: any Channel, patience: Duration) {
        self.writer = writer
        self.channel = channel
        self.patience = patience
    }

    var isOpen: Bool { channel.isActive }

    func write(_ bytes: [UInt8]) async throws {
        let watchdog = channel.eventLoop.scheduleTask(in: TimeAmount(patience)) { [channel] in
            channel.close(promise: nil)
        }
        defer { watchdog.cancel() }
        try await writer.write(ByteBuffer(bytes: bytes))
    }

    func finish() async throws { try await writer.finish(nil) }
}
