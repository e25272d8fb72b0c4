internal import CMosquitto
internal import Platform
internal import SystemPackage

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

extension NetworkLoop {
    /// Registers the callbacks; they must be removed before this object is released.
    func setCallbacks() {
        let pointer = unsafe handle.pointer
        unsafe mosquitto_user_data_set(pointer, Unmanaged.passUnretained(self).toOpaque())
        unsafe mosquitto_connect_v5_callback_set(pointer) { _, loop, code, flags, properties in
            let properties = unsafe ReceivedProperties(borrowing: properties)
            unsafe calledBack(loop) { $0.acknowledged(code, flags, properties) }
        }
        unsafe mosquitto_disconnect_v5_callback_set(pointer) { _, loop, code, _ in
            let error = Errno.last
            unsafe calledBack(loop) { $0.disconnected(code, error) }
        }
        unsafe mosquitto_message_v5_callback_set(pointer) { _, loop, message, properties in
            guard let message = unsafe message?.pointee else { return }
            let properties = unsafe ReceivedProperties(borrowing: properties)
            unsafe calledBack(loop) { unsafe $0.received(message, properties) }
        }
        unsafe mosquitto_publish_v5_callback_set(pointer) { _, loop, identifier, code, _ in
            unsafe calledBack(loop) { $0.published(identifier, code) }
        }
        unsafe mosquitto_subscribe_v5_callback_set(pointer) { _, loop, identifier, count, codes, _ in
            let codes = unsafe Array(UnsafeBufferPointer(start: codes, count: Int(count)))
            unsafe calledBack(loop) { $0.subscribed(identifier, codes) }
        }
        unsafe mosquitto_unsubscribe_v5_callback_set(pointer) { _, loop, identifier, _ in
            unsafe calledBack(loop) { $0.unsubscribed(identifier) }
        }
        unsafe mosquitto_log_callback_set(pointer) { _, loop, level, text in
            guard level & (MOSQ_LOG_ERR | MOSQ_LOG_WARNING) != 0, let text = unsafe text else { return }
            let errorText = unsafe String(cString: text)
            unsafe calledBack(loop) { $0.notes.add(errorText: errorText, $0.handle.evidence) }
        }
    }

    /// Removes the callbacks.
    func removeCallbacks() {
        let pointer = unsafe handle.pointer
        unsafe mosquitto_connect_v5_callback_set(pointer, nil)
        unsafe mosquitto_disconnect_v5_callback_set(pointer, nil)
        unsafe mosquitto_message_v5_callback_set(pointer, nil)
        unsafe mosquitto_publish_v5_callback_set(pointer, nil)
        unsafe mosquitto_subscribe_v5_callback_set(pointer, nil)
        unsafe mosquitto_unsubscribe_v5_callback_set(pointer, nil)
        unsafe mosquitto_log_callback_set(pointer, nil)
        unsafe mosquitto_user_data_set(pointer, nil)
    }

    /// Calls the handler.
    func deliver(_ event: Client.Event) {
        // After an abort, the handler gets no event except the end.
        if core.requestedEnd != .abort { handler(event) }
    }
}

// MARK: - Callbacks of libmosquitto

extension NetworkLoop {
    fileprivate func acknowledged(_ code: Int32, _ flags: Int32, _ properties: ReceivedProperties) {
        guard code == 0 else {
            notes.refusal = ConnectProblem(
                protocolVersion: refusingVersion(code), number: UInt8(truncatingIfNeeded: code),
                words: properties.text(MQTT_PROP_REASON_STRING))
            return
        }
        // Error messages are of no use from now on, and libmosquitto would write a line for each packet.
        unsafe mosquitto_log_callback_set(handle.pointer, nil)
        notes.isConnected = true
        core.connected()
        deliver(.connected(properties.acknowledgement(isSessionPresent: flags & 1 != 0)))
    }

    /// A broker that only knows MQTT 3.1.1 answers a connect packet of MQTT 5.0 with the numbers of 3.1.1.
    private func refusingVersion(_ code: Int32) -> ProtocolVersion {
        code < 0x80 ? .v311 : core.options.protocolVersion
    }

    fileprivate func disconnected(_ code: Int32, _ error: Errno) {
        // libmosquitto uses the same number for the broker's reason and its own results; only reasons are 0x80 or
        // more.
        if let number = UInt8(exactly: code), number >= 0x80 {
            notes.disconnectReason = ReasonCode(rawValue: number)
            return
        }
        switch ResultCode(rawValue: code) {
        case .systemError: notes.systemError = error
        // libmosquitto treats a reset like a close without an error.
        case .connectionLost where error == .connectionReset: notes.systemError = error
        default: break
        }
    }

    fileprivate func received(_ message: mosquitto_message, _ properties: ReceivedProperties) {
        let text = unsafe message.topic.map { unsafe String(cString: $0) } ?? ""
        let number = unsafe UInt8(message.qos)
        // libmosquitto lets a name with wildcards pass. No broker may send one, so nothing else can be trusted
        // either.
        guard let topic = try? TopicName(text), let quality = QualityOfService(rawValue: number) else {
            notes.violation = .protocolError
            return
        }
        let payload = unsafe Array(UnsafeRawBufferPointer(start: message.payload, count: Int(message.payloadlen)))
        let message = unsafe Message(
            topic: topic, payload: payload, qualityOfService: quality, isRetained: message.retain,
            packetIdentifier: PacketIdentifier(message.mid), properties: properties.ofMessage)
        messageCount += 1
        deliver(.message(message))
    }

    fileprivate func published(_ identifier: Int32, _ code: Int32) {
        core.published()
        guard let identifier = PacketIdentifier(identifier) else { return }
        deliver(.published(identifier, ReasonCode(rawValue: UInt8(truncatingIfNeeded: code))))
    }

    fileprivate func subscribed(_ identifier: Int32, _ codes: [Int32]) {
        guard let identifier = PacketIdentifier(identifier), let filters = core.takeFilters(of: identifier),
            filters.count == codes.count
        else {
            notes.violation = .protocolError
            return
        }
        let answers = zip(filters, codes).map { filter, code in
            SubscriptionAnswer(filter: filter, outcome: SubscriptionAnswer.Outcome(code: code))
        }
        deliver(.subscribed(identifier, answers))
    }

    fileprivate func unsubscribed(_ identifier: Int32) {
        guard let identifier = PacketIdentifier(identifier) else { return }
        deliver(.unsubscribed(identifier))
    }
}

/// Finds the object that set the callback, and calls it.
private func calledBack(_ context: UnsafeMutableRawPointer?, _ body: (NetworkLoop) -> Void) {
    guard let context = unsafe context else { return }
    body(unsafe Unmanaged<NetworkLoop>.fromOpaque(context).takeUnretainedValue())
    // libmosquitto reads errno after its callbacks, so an errno left by the handler must not look like its own.
    errno = 0
}
