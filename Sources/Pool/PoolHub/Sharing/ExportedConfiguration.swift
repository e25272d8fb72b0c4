import PoolControl
import PoolModel
import SyncCore

/// An exported configuration: the contents of a ``SealedExport``, as JSON.
///
/// It does not contain readings, alerts, answers to alerts, the hub's keys and its paired watches, which belong to one
/// hub.
struct ExportedConfiguration: Codable, Sendable {
    /// One entry, its value as the text of canonical JSON.
    struct Entry: Codable, Hashable, Sendable {
        var kind: String
        var record: ConfigurationEntry.Record
        var group: String
        var value: String
    }

    /// The newest version of the records that this program supports.
    static let recordsVersion = ConfigurationEntry.versions.upperBound

    /// The version of the records.
    var records: UInt32
    /// The version of the program that wrote it.
    var program: String
    /// The hub that wrote it: the first digits of its public key.
    var hub: String
    /// The revision of its configuration.
    var revision: UInt64
    /// When it was written, by that hub's clock.
    var writtenAt: Timestamp
    /// The entries, sorted by key.
    var entries: [Entry]
    /// The passwords, by the identities of the servers.
    var passwords: [String: String]
    /// The secrets that sign webhooks, by their names.
    var signingSecrets: [String: String]
    /// The secrets of services for phones, by the names of ``Secrets``; nil in exports of before.
    var phoneSecrets: [String: String]?

    /// Creates the export of a configuration and its secrets.
    init(
        _ configuration: PoolConfiguration, _ secrets: Secrets, hub: String, revision: UInt64, at moment: Timestamp
    ) throws {
        records = Self.recordsVersion
        program = Release.version
        self.hub = hub
        self.revision = revision
        writtenAt = moment
        entries = configuration.sharedEntries.map { entry in
            Entry(
                kind: entry.key.kind, record: entry.key.record, group: entry.key.group,
                value: String(decoding: entry.value, as: UTF8.self))
        }
        passwords = [:]
        signingSecrets = [:]
        var phoneSecrets: [String: String] = [:]
        for (name, secret) in try secrets.secrets(named: configuration.secretNames) {
            switch name {
            case .password(let server): passwords["\(server)"] = secret
            case .signing(let name): signingSecrets[name] = secret
            case .phone: phoneSecrets[name.text] = secret
            }
        }
        if !phoneSecrets.isEmpty { self.phoneSecrets = phoneSecrets }
    }

    /// Decodes an export.
    ///
    /// - Parameters:
    ///   - bytes: The contents of the file at `path`.
    ///   - path: The file, for the words of an error.
    /// - Throws: ``ConfigurationExportError``.
    init(_ bytes: [UInt8], path: String) throws(ConfigurationExportError) {
        do {
            let version = try CanonicalJSON.decode(Version.self, from: bytes).records
            guard version <= Self.recordsVersion else {
                throw ConfigurationExportError.newer(path: path, finding: "version \(version) of the records")
            }
            self = try CanonicalJSON.decode(Self.self, from: bytes)
        } catch let error as ConfigurationExportError {
            throw error
        } catch {
            throw .meaningless(path: path, finding: "\(error)")
        }
    }

    /// The part that every version has.
    private struct Version: Codable {
        var records: UInt32
    }

    /// Reads and opens a file.
    ///
    /// - Throws: ``ConfigurationExportError``.
    init(reading path: String, with key: PassphraseKey) throws {
        try self.init(try SealedExport(reading: path).open(with: key, path: path), path: path)
    }

    /// The configuration; problems with its entries are appended to `problems`.
    func configuration(_ problems: inout [ConfigurationProblem]) -> PoolConfiguration {
        PoolConfiguration(
            entries: entries.map { entry in
                ConfigurationEntry(
                    key: ConfigurationEntry.Key(kind: entry.kind, record: entry.record, group: entry.group),
                    value: Array(entry.value.utf8))
            }, problems: &problems)
    }

    /// A secret; nil if it is not in the export.
    func secret(_ name: Secrets.Name) -> String? {
        switch name {
        case .password(let server): passwords["\(server)"]
        case .signing(let name): signingSecrets[name]
        case .phone: phoneSecrets?[name.text]
        }
    }
}

extension PoolConfiguration {
    /// The names of the secrets that the configuration uses.
    var secretNames: [Secrets.Name] {
        var names = servers.map { Secrets.Name.password($0.id) }
        if let name = alerts.channels.webhook?.secretName { names.append(.signing(name)) }
        return names + alerts.channels.phoneSecretNames.map(\.name)
    }
}

extension AlertChannelSettings {
    /// The secrets that the services for phones may have, and what each is for people.
    var phoneSecretNames: [(name: Secrets.Name, subject: String)] {
        PhoneService.table.flatMap { service -> [(name: Secrets.Name, subject: String)] in
            guard let settings = phones[service.channel] else { return [] }
            let address = service.address(in: settings)
            return service.secretFields.map { field in
                (
                    .phone(service.channel, field: field.name, address: address),
                    "\(field.name) of \(service.name) at \(address)"
                )
            }
        }
    }
}
