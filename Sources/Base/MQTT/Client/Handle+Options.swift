internal import CMosquitto
internal import Platform

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

extension Handle {
    /// Sets the options of the connect packet.
    func configure(_ options: Client.Options) throws(MQTTError) {
        try set(MOSQ_OPT_PROTOCOL_VERSION, options.protocolVersion.number)
        try set(MOSQ_OPT_RECEIVE_MAXIMUM, Int32(options.receiveMaximum))
        // Most messages are small, and should be sent at once instead of waiting for more data.
        try set(MOSQ_OPT_TCP_NODELAY, 1)
        // Without this, libmosquitto would send the acknowledgement of QoS 1 before the message callback, and other
        // threads could not publish.
        try check("mosquitto_threaded_set", unsafe mosquitto_threaded_set(pointer, true))
        if let credentials = options.credentials { try set(credentials) }
        if let will = options.will { try set(will) }
        if let tls = options.tls { try set(tls) }
        if options.protocolVersion == .v5 { try setConnectProperties(options) }
    }

    private func set(_ option: mosq_opt_t, _ value: Int32) throws(MQTTError) {
        try check("mosquitto_int_option", unsafe mosquitto_int_option(pointer, option, value))
    }

    private func set(_ credentials: Credentials) throws(MQTTError) {
        let result = unsafe withCStrings([credentials.userName, credentials.password]) { texts in
            unsafe mosquitto_username_pw_set(pointer, texts[0], texts[1])
        }
        try check("mosquitto_username_pw_set", result)
    }

    private func set(_ will: Will) throws(MQTTError) {
        var properties = PropertyList()
        if will.delaySeconds > 0 { try properties.add(MQTT_PROP_WILL_DELAY_INTERVAL, will.delaySeconds) }
        let result = unsafe properties.handOver { properties in
            unsafe will.payload.withUnsafeBytes { payload in
                unsafe mosquitto_will_set_v5(
                    pointer, will.topic.text, Int32(payload.count), payload.baseAddress,
                    Int32(will.qualityOfService.rawValue), will.isRetained, properties)
            }
        }
        try check("mosquitto_will_set_v5", result)
    }

    /// Sets the properties of the connect packet.
    ///
    /// libmosquitto accepts them only together with a blocking connect, which could not be interrupted. So it gets no
    /// host: it stores the properties for all later connects, and then refuses the missing host.
    private func setConnectProperties(_ options: Client.Options) throws(MQTTError) {
        var list = PropertyList()
        if case .persistent(let seconds) = options.session { try list.add(MQTT_PROP_SESSION_EXPIRY_INTERVAL, seconds) }
        if let byteCount = options.maximumPacketByteCount { try list.add(MQTT_PROP_MAXIMUM_PACKET_SIZE, byteCount) }
        let result = unsafe list.withPointer { list in
            unsafe mosquitto_connect_bind_v5(pointer, nil, 0, Int32(options.keepAliveSeconds), nil, list)
        }
        let code = ResultCode(rawValue: result)
        guard code == .invalidArgument else { throw .library(function: "mosquitto_connect_bind_v5", code) }
    }
}

// MARK: - TLS

extension Handle {
    private func set(_ tls: TLSConfiguration) throws(MQTTError) {
        for path in tls.filePaths where unsafe access(path, R_OK) != 0 { throw .unreadableFile(path: path, .last) }
        if tls.trust == .system { try set(MOSQ_OPT_TLS_USE_OS_CERTS, 1) }
        if tls.trust != .system || tls.identity != nil { try setFiles(of: tls) }
        let requirement: Int32 = tls.verification == .none ? 0 : 1
        try check(
            "mosquitto_tls_opts_set",
            unsafe mosquitto_tls_opts_set(pointer, requirement, tls.minimumVersion.rawValue, nil))
        try check("mosquitto_tls_insecure_set", unsafe mosquitto_tls_insecure_set(pointer, tls.verification != .full))
    }

    private func setFiles(of tls: TLSConfiguration) throws(MQTTError) {
        var file: String?
        var directory: String?
        switch tls.trust {
        case .file(let path): file = path
        case .directory(let path): directory = path
        // libmosquitto accepts a client certificate only together with a folder; this folder is the system's store
        // anyway.
        case .system: directory = "/etc/ssl/certs"
        }
        let paths = [file, directory, tls.identity?.certificatePath, tls.identity?.keyPath]
        let result = unsafe withCStrings(paths) { paths in
            // The last argument answers OpenSSL's request for the password of a key. Without it OpenSSL would ask at
            // the terminal, and wait.
            unsafe mosquitto_tls_set(pointer, paths[0], paths[1], paths[2], paths[3]) { _, _, _, _ in 0 }
        }
        try check("mosquitto_tls_set", result)
    }
}

extension TLSConfiguration {
    /// The files that must be readable.
    fileprivate var filePaths: [String] {
        var paths: [String] = []
        switch trust {
        case .system: break
        case .file(let path), .directory(let path): paths.append(path)
        }
        if let identity { paths += [identity.certificatePath, identity.keyPath] }
        return paths
    }
}
