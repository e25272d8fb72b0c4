public import PoolModel

/// Reads the messages of pool probes: a flat JSON object, or the text form.
///
/// Any bytes give a message or a reason, within the limits of the configuration. It accepts many notations (any case
/// of the keys, numbers as strings, some keys only, line ends and blanks), but is strict about measurements: nothing
/// is guessed, and a missing value stays absent.
///
/// | key, in any case | meaning |
/// |---|---|
/// | one of `flatKeys` of a row of the table of quantities | that quantity, in its unit |
/// | `unit`, `temp_unit`, `chlorine_unit` and the like | another unit of a quantity |
/// | `timestamp`, `time` | ISO 8601 with its zone, or seconds since 1970, or a decimal fraction of them |
///
/// A unit behind a number, as in `78 °F`, is read, too. A value in a unit of something else is no reading.
/// When two keys mean the same, the first one with a usable value counts, and a remark names the other.
public struct PayloadDecoder: Sendable {
    /// The limits of a decoder.
    public struct Configuration: Hashable, Sendable {
        /// The most bytes of a payload that is read; 64 KiB, hundreds of times what a probe sends.
        public var byteCountMax = 65_536
        /// The most JSON arrays and objects open at once; a probe needs one.
        public var depthMax = 32
        /// The most remarks that are kept for one message.
        public var remarkCountMax = 16
        /// The earliest time that a sample can have: 2015-01-01, because an unset clock shows 1970 or 2000.
        public var earliestTime = Timestamp(milliseconds: 1_420_070_400_000)
        /// How far a device's clock may run ahead of the hub's, in seconds; 24 h, a wrong time zone.
        public var futureToleranceSeconds = 86_400

        /// Creates the default limits.
        public init() {}
    }

    private let configuration: Configuration

    /// Creates a decoder.
    public init(configuration: Configuration = Configuration()) {
        self.configuration = configuration
    }

    /// Reads one message.
    ///
    /// - Parameters:
    ///   - payload: The bytes of the message.
    ///   - receivedAt: The time of receipt by the hub's clock.
    ///   - isRetained: Whether the broker replayed the message from its store.
    /// - Returns: The message, or why the payload is not one.
    public func decode(_ payload: [UInt8], receivedAt: Timestamp, isRetained: Bool) -> PayloadOutcome {
        do throws(PayloadError) {
            let (fields, format) = try fields(of: payload)
            var interpreter = PayloadInterpreter(remarkCountMax: configuration.remarkCountMax)
            interpreter.read(fields)
            try interpreter.requireMeasurement(in: fields)
            let time = SampleTime(
                field: interpreter.timeField, receivedAt: receivedAt, isRetained: isRetained,
                configuration: configuration)
            if let remark = time.remark { interpreter.note(remark) }
            return .decoded(
                DecodedPayload(
                    values: interpreter.values, sampledAt: time.moment, timeQuality: time.quality,
                    receivedAt: receivedAt, isRetained: isRetained, format: format,
                    quarantined: interpreter.quarantined, remarks: interpreter.remarks,
                    payloadHash: ReadingKey.hash(of: payload)))
        } catch {
            return .rejected(error == .notText ? Self.rejection(ofNoText: payload) : error)
        }
    }

    private static func rejection(ofNoText payload: [UInt8]) -> PayloadError {
        guard let kind = BinaryKind(topic: nil, payload: payload), kind != .unknown else { return .notText }
        return .binary(kind)
    }

    private func fields(
        of payload: [UInt8]
    ) throws(PayloadError) -> ([PayloadField], DecodedPayload.Format) {
        switch try PayloadContent(payload, configuration: configuration) {
        case .json(.object(let members)): return (PayloadField.fields(of: members), .json)
        case .json: throw .notAnObject
        case .text(let text, let fault):
            do throws(TextFormError) {
                return (try TextForm.fields(of: Substring(text)), .text)
            } catch {
                throw .notReadable(json: fault, text: error)
            }
        }
    }
}
