/// Why an edit of the configuration was refused; nothing was changed.
@nonexhaustive
public enum ConfigurationError: Error, Hashable, Sendable {
    /// A kind of record.
    public enum RecordKind: String, Sendable {
        /// A server.
        case server
        /// A device.
        case device
        /// A pool.
        case pool
        /// A watch.
        case watch
    }

    /// A name is empty or has only blanks.
    case nameEmpty(RecordKind)
    /// A name has more bytes in UTF-8 than the limit.
    case nameTooLong(RecordKind, byteCount: Int, limit: Int)
    /// A name contains a `HiddenCharacter`.
    case nameSteers(RecordKind, Unicode.Scalar)
    /// A host is not a host name or an address.
    case hostInvalid(String, HostProblem)
    /// A port is outside 1…65535.
    case portOutOfRange(Int)
    /// A text for a port is not a number.
    case portNotANumber(String)
    /// A user name is longer than 65535 bytes, or contains a `ControlCharacter`.
    case usernameInvalid(String)
    /// The path of a certificate file is empty or contains U+0000.
    case caFileInvalid(String)
    /// A certificate file was given for a server without TLS, where it has no effect.
    case caFileWithoutTLS(String)
    /// A topic is not a valid MQTT topic name.
    case topicInvalid(String, TopicProblem)
    /// A field that has no error of its own is not valid; the sentence has the field, the value and what to do.
    case fieldInvalid(String)
    /// A device type is empty, has only blanks, is longer than 256 bytes, or contains a `HiddenCharacter`.
    case deviceTypeInvalid(String)
    /// An expected interval is outside 1…86400 seconds.
    case intervalOutOfRange(Int)
    /// Limits are not in the order critical low ≤ low < high ≤ critical high, or not finite.
    case limitsNotOrdered(Quantity, Limits)
    /// The file of the hub's own certificate or of its key is not a path, or only one of the two was given.
    case clientCertificateInvalid(String)
    /// The prefix of Home Assistant's discovery is not a topic.
    case announcementInvalid(String)
    /// A mapping is not valid; the sentence has the field, the value and what to do.
    case mappingInvalid(String)
    /// Calibrations are not valid; the sentence has the field, the value and what to do.
    case calibrationInvalid(Quantity, String)
    /// The settings of alerts are not valid; the sentence has the field, the value and what to do.
    case alertSettingsInvalid(String)
    /// The volume of a pool is outside 0.01…1 000 000 m³.
    case volumeOutOfRange(Double)
    /// A retention time is outside its range.
    case retentionOutOfRange(String, days: Int, range: ClosedRange<Int>)
    /// The folder of exports is not an absolute path.
    case exportFolderInvalid(String)
    /// The identifier of a new record is already used.
    case identifierTaken(RecordKind, String)
    /// Another record of the kind has the name, so the name would be ambiguous.
    case nameTaken(RecordKind, String)
    /// Another device of the same server has the topic, so a reading could belong to either.
    case topicTaken(String, byDevice: String)
    /// A record that an edit refers to does not exist.
    case missing(RecordKind, String)
    /// A server still has devices.
    case serverHasDevices(String, devices: [String])
    /// No record has this name or an identifier with this start; `known` are the existing names.
    case notFound(RecordKind, String, known: [String])
    /// Several records match; `candidates` distinguishes them.
    case ambiguous(RecordKind, String, candidates: [String])
}

extension ConfigurationError: CustomStringConvertible {
    /// One sentence for a person: the subject, the value and what to do.
    public var description: String {
        switch self {
        case .nameEmpty(let thing): "The name of the \(thing.rawValue) is empty: give it a name."
        case .nameTooLong(let thing, let byteCount, let limit):
            "The name of the \(thing.rawValue) has \(byteCount) bytes, at most \(limit) are possible: shorten it."
        case .nameSteers(let thing, let scalar):
            "The name of the \(thing.rawValue) holds \(scalar.codePoint), which cannot be seen or steers a "
                + "terminal: leave it out."
        case .hostInvalid(let host, let flaw): "The host \(Excerpt(host)) \(flaw)."
        case .portOutOfRange(let port): "The port \(port) is not in 1…65535: MQTT usually has 1883, or 8883 with TLS."
        case .portNotANumber(let text):
            "The port \(Excerpt(text)) is not a number: give one from 1 to 65535, such as 1883."
        case .usernameInvalid(let name):
            "The user name \(Excerpt(name)) is longer than 65535 bytes or holds a character that cannot be seen, such as "
                + "U+0000 or U+202E: leave that out."
        case .caFileInvalid(let path):
            "The certificate file \(Excerpt(path)) is not a path: give one, or leave it out to trust the system's."
        case .caFileWithoutTLS(let path):
            "The certificate file \(Excerpt(path)) protects nothing without TLS: turn TLS on, or leave it out."
        case .topicInvalid(let topic, let flaw): "The topic \(Excerpt(topic)) \(flaw)."
        case .deviceTypeInvalid(let type):
            "The device type \(Excerpt(type)) must have 1 to 256 bytes, all of which can be seen: leave it out for \(Device.defaultType)."
        case .intervalOutOfRange(let seconds):
            "The expected interval of \(seconds) s is not in 1…86400 s: give how often the device reports."
        case .limitsNotOrdered(let quantity, let limits):
            "The limits of \(quantity.name) (\(limits.criticalLow), \(limits.low), \(limits.high), "
                + "\(limits.criticalHigh)) must rise: critical low ≤ low < high ≤ critical high."
        case .clientCertificateInvalid(let path):
            "The client certificate \(Excerpt(path)) needs two paths and TLS: that of the certificate and that of its key."
        case .announcementInvalid(let prefix):
            "The discovery prefix \(Excerpt(prefix)) is not a topic: Home Assistant's default is homeassistant."
        case .mappingInvalid(let sentence), .alertSettingsInvalid(let sentence), .fieldInvalid(let sentence): sentence
        case .calibrationInvalid(let quantity, let sentence): "Calibration of \(quantity.name): \(sentence)"
        case .volumeOutOfRange(let volume):
            "The volume of \(volume) m³ is not in 0.01…1000000 m³: give the cubic metres of the water."
        case .retentionOutOfRange(let what, let days, let range):
            "\(what) cannot be kept \(days) days: give \(range.lowerBound) to \(range.upperBound)."
        case .exportFolderInvalid(let path):
            "The export folder \(Excerpt(path)) is not an absolute path, such as /var/lib/poolsensors/export."
        case .identifierTaken(let thing, let id): "The \(thing.rawValue) \(id) already exists: edit it instead."
        case .nameTaken(let thing, let name):
            "The name \(Excerpt(name)) already belongs to another \(thing.rawValue): choose another name."
        case .topicTaken(let topic, let device):
            "The topic \(Excerpt(topic)) already belongs to the device \(Excerpt(device)) on this server: "
                + "edit that device, or give another topic."
        case .missing(let thing, let id): "The \(thing.rawValue) \(id) does not exist (any more): add it first."
        case .serverHasDevices(let server, let devices):
            "The server \(Excerpt(server)) still has \(devices.count == 1 ? "the device" : "the devices") "
                + "\(Self.list(devices)): remove them first, or together with the server."
        case .notFound(let thing, let text, let known):
            "No \(thing.rawValue) is called \(Excerpt(text)): \(Self.advice(thing, text, known))"
        case .ambiguous(let thing, let text, let candidates):
            "\(Excerpt(text)) fits more than one \(thing.rawValue): \(Self.list(candidates)). Add the start of the id to the name."
        }
    }

    /// What exists instead of a name.
    private static func advice(_ thing: RecordKind, _ text: String, _ known: [String]) -> String {
        if known.isEmpty { return thing == .watch ? "none is paired yet." : "there is none yet, add one first." }
        guard let near = NearMiss.nearest(to: text, in: known) else { return "there is \(list(known))." }
        return "did you mean \(Excerpt(near))? There is \(list(known))."
    }

    private static func list(_ names: [String]) -> String {
        let shown = names.prefix(8).map { "\(Excerpt($0))" }
        let rest = names.count - shown.count
        return shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }
}
