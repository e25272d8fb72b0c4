internal import CZeroMQ

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

extension SocketOptions {
    func apply(to handle: SocketHandle) throws(ZeroMQError) {
        try handle.setOption(ZMQ_LINGER, "linger", to: linger)
        try applyQueues(to: handle)
        try applyRouting(to: handle)
        try applyConnection(to: handle)
        try applySecurity(to: handle)
    }

    private func applyQueues(to handle: SocketHandle) throws(ZeroMQError) {
        if let sendHighWaterMark {
            try handle.setOption(ZMQ_SNDHWM, "sendHighWaterMark", to: sendHighWaterMark)
        }
        if let receiveHighWaterMark {
            try handle.setOption(ZMQ_RCVHWM, "receiveHighWaterMark", to: receiveHighWaterMark)
        }
        if let maxMessageSize {
            // libzmq reads a negative number as no limit, which is never intended.
            guard maxMessageSize >= 0 else { throw handle.outOfRange("maxMessageSize", maxMessageSize) }
            try handle.setOption(ZMQ_MAXMSGSIZE, "maxMessageSize", to: Int64(maxMessageSize))
        }
    }

    private func applyRouting(to handle: SocketHandle) throws(ZeroMQError) {
        if handle.kind == .router {
            try handle.setOption(ZMQ_ROUTER_MANDATORY, "routerMandatory", to: routerMandatory)
        }
        if routerHandover {
            try handle.setOption(ZMQ_ROUTER_HANDOVER, "routerHandover", to: true)
        }
        if let routingID {
            // A leading zero is reserved for the ids that a ROUTER generates. libzmq would accept such an id, and
            // abort the ROUTER's process as soon as the ROUTER generates the same one.
            guard routingID.bytes.first != 0 else { throw handle.outOfRange("routingID", routingID) }
            try handle.setOption(ZMQ_ROUTING_ID, "routingID", toBytes: routingID.bytes)
        }
    }

    private func applyConnection(to handle: SocketHandle) throws(ZeroMQError) {
        try handle.setOption(ZMQ_IMMEDIATE, "immediate", to: immediate)
        try handle.setOption(ZMQ_IPV6, "ipv6", to: ipv6)
        if let backlog { try handle.setOption(ZMQ_BACKLOG, "backlog", to: backlog) }
        if let connectTimeout {
            try handle.setOption(ZMQ_CONNECT_TIMEOUT, "connectTimeout", to: connectTimeout)
        }
        if let handshakeInterval {
            try handle.setOption(ZMQ_HANDSHAKE_IVL, "handshakeInterval", to: handshakeInterval)
        }
        if let heartbeat {
            try handle.setOption(ZMQ_HEARTBEAT_IVL, "heartbeat.interval", to: heartbeat.interval)
            try handle.setOption(ZMQ_HEARTBEAT_TIMEOUT, "heartbeat.timeout", to: heartbeat.timeout)
            try handle.setOption(ZMQ_HEARTBEAT_TTL, "heartbeat.timeToLive", to: heartbeat.timeToLive)
        }
        switch reconnect {
        case nil: break
        case .never:
            try handle.setOption(ZMQ_RECONNECT_IVL, "reconnect", to: Int32(-1))
        case .backoff(let shortest, let longest):
            try handle.setOption(ZMQ_RECONNECT_IVL, "reconnect.shortest", to: shortest)
            try handle.setOption(ZMQ_RECONNECT_IVL_MAX, "reconnect.longest", to: longest)
        }
    }

    private func applySecurity(to handle: SocketHandle) throws(ZeroMQError) {
        switch security {
        case .none: break
        case .curveServer(let secretKey, let zapDomain):
            try handle.setOption(ZMQ_CURVE_SERVER, "security.curveServer", to: true)
            try handle.setOption(ZMQ_CURVE_SECRETKEY, "security.secretKey", toBytes: secretKey.bytes)
            // An empty domain is libzmq's default, and libzmq refuses to set it.
            if !zapDomain.isEmpty {
                try handle.setOption(ZMQ_ZAP_DOMAIN, "security.zapDomain", toBytes: Array(zapDomain.utf8))
                // A libzmq without this option admits all peers without a user id while there is no handler.
                try? handle.setOption(czeromq_zap_enforce_domain, "security.zapDomain", to: true)
            }
        case .curveClient(let keyPair, let serverKey):
            try handle.setOption(ZMQ_CURVE_SERVERKEY, "security.serverKey", toBytes: serverKey.bytes)
            try handle.setOption(ZMQ_CURVE_PUBLICKEY, "security.publicKey", toBytes: keyPair.publicKey.bytes)
            try handle.setOption(ZMQ_CURVE_SECRETKEY, "security.secretKey", toBytes: keyPair.secretKey.bytes)
        }
    }
}

extension SocketHandle {
    fileprivate func setOption(_ option: Int32, _ name: String, to value: Int) throws(ZeroMQError) {
        guard let number = Int32(exactly: value), number >= 0 else { throw outOfRange(name, value) }
        try setOption(option, name, to: number)
    }

    fileprivate func setOption(_ option: Int32, _ name: String, to value: Bool) throws(ZeroMQError) {
        try setOption(option, name, to: Int32(value ? 1 : 0))
    }

    fileprivate func setOption(_ option: Int32, _ name: String, to value: Duration) throws(ZeroMQError) {
        guard let milliseconds = value.milliseconds, milliseconds >= 0 else { throw outOfRange(name, value) }
        try setOption(option, name, to: milliseconds)
    }

    fileprivate func outOfRange(_ name: String, _ value: some CustomStringConvertible) -> ZeroMQError {
        failure(of: "zmq_setsockopt", on: "\(name) = \(value) of a \(kind) socket", EINVAL)
    }
}

extension Duration {
    /// The time in milliseconds, rounded away from zero, so that a short time never becomes zero; nil if C's `int`
    /// cannot represent it.
    var milliseconds: Int32? {
        let (seconds, attoseconds) = components
        let perMillisecond: Int64 = 1_000_000_000_000_000
        let whole = attoseconds / perMillisecond
        let rounding = (attoseconds % perMillisecond).signum()
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        return overflow ? nil : Int32(exactly: scaled.addingReportingOverflow(whole + rounding).partialValue)
    }
}
