/// The table of a server's fields.
///
/// A field is a property of ``Server`` and a row here. Fields that only make sense together are in one cell, so that merging
/// two edits cannot create a combination that nobody entered.
extension Server: PatchedRecord {
    /// What the patch of a server says beside its fields.
    package struct Supplement: Codable, Hashable, Sendable {
        /// The password; empty for none.
        package var password: String?
    }

    package static let noSupplement = Supplement()
    package static let kind = "server"
    /// The cell with all that says how a server is reached.
    package static let endpointCell = "endpoint"

    package static func blank(id: ServerID) -> Server { Server(id: id, name: "", host: "") }

    package static let cells: [RecordCell<Server>] = [
        RecordCell(
            EntryGroup.nameGroup, watches: .changed, isRequired: true,
            fields: [
                RecordField(
                    \.name, "name", label: FieldWords("Name", "Nom"), note: "1…256 bytes.",
                    editor: .text(lengthMax: 256), option: FieldOption("A name for the server.", "name"),
                    clean: { $0.name = HiddenCharacter.replaced(in: $0.name) },
                    check: { server throws(ConfigurationError) in
                        try NameRule.check(server.name, of: .server)
                    })
            ],
            words: { server, _ in "\(Excerpt(server.name))" }),
        RecordCell(
            endpointCell, subject: "address", isRequired: true, isRaw: true, fields: endpoint,
            words: { server, _ in server.endpointText }),
        RecordCell(
            "announcement", isRaw: true,
            fields: [
                RecordField(
                    blankable: \.announcementPrefix, "announcementPrefix", cellKey: "prefix",
                    label: FieldWords("Announcement to Home Assistant", "Annonce à Home Assistant"),
                    hint: FieldWords(
                        "The prefix of its discovery; empty for none.", "Le préfixe de sa découverte ; vide : aucune."),
                    note: "The prefix of Home Assistant's discovery, such as homeassistant; empty for no announcement.",
                    editor: .text(example: "homeassistant", isCode: true, isTrimmed: true),
                    option: FieldOption(
                        "Announce the devices to Home Assistant, under homeassistant or another prefix.", "prefix"),
                    check: { server throws(ConfigurationError) in
                        if let prefix = server.announcementPrefix, TopicProblem.find(in: prefix) != nil {
                            throw .announcementInvalid(prefix)
                        }
                    })
            ],
            words: { server, _ in "under \(Excerpt(server.announcementPrefix ?? ""))" }),
        RecordCell(
            "note",
            fields: [
                RecordField(
                    blankable: \.note, "note", label: FieldWords("Note", "Note"),
                    hint: FieldWords("What people should know of it.", "Ce qu’il faut en savoir."),
                    note: "What people should know of it, 500 characters at most; empty for nothing.",
                    editor: .text(lengthMax: noteLengthMax),
                    option: FieldOption("What people should know of it; an empty text takes it away.", "text"),
                    check: { server throws(ConfigurationError) in
                        guard let note = server.note else { return }
                        let count = note.unicodeScalars.count
                        if count > noteLengthMax {
                            throw .fieldInvalid(
                                "The note has \(count) characters, at most \(noteLengthMax) are possible: shorten it.")
                        }
                        if note.allSatisfy(\.isWhitespace) || HiddenCharacter.find(in: note) != nil {
                            throw .fieldInvalid(
                                "The note \(Excerpt(note)) holds nothing that can be seen, or a character that cannot: "
                                    + "write text, or leave it out.")
                        }
                    })
            ],
            words: { server, _ in "\(Excerpt(server.note ?? ""))" }),
    ]

    private static let endpoint: [RecordField<Server>] = [
        RecordField(
            \.host, "host", label: FieldWords("Host or address", "Hôte ou adresse"), note: "A name or an address.",
            editor: .text(isCode: true, isTrimmed: true), option: FieldOption("The host name or address.", "host"),
            check: { server throws(ConfigurationError) in
                if let flaw = HostProblem.find(in: server.host) { throw .hostInvalid(server.host, flaw) }
            }),
        RecordField(
            \.port, "port", label: FieldWords("Port", "Port"),
            hint: FieldWords("Empty: 1883, with TLS 8883.", "Vide : 1883, avec TLS 8883."),
            note: "Without it 1883, with TLS 8883.", editor: .number(portRange, example: "1883"),
            option: FieldOption("The port; 1883, or 8883 with TLS.", "port"),
            check: { server throws(ConfigurationError) in
                guard portRange.contains(server.port) else { throw .portOutOfRange(server.port) }
            }),
        RecordField(
            \.usesTLS, "usesTLS", cellKey: "tls", label: FieldWords("Encrypted (TLS)", "Chiffré (TLS)"), editor: .flag,
            option: FieldOption("Encrypt the connection; certificate and host name are always checked.")),
        RecordField(
            blankable: \.username, "username", label: FieldWords("User name", "Nom d’utilisateur"),
            hint: FieldWords("Empty for none.", "Vide : aucun."), note: "Empty for none.", editor: .text(isCode: true),
            option: FieldOption("The user name; an empty one takes it away.", "name"),
            check: { server throws(ConfigurationError) in
                if let name = server.username, name.utf8.count > 65535 || ControlCharacter.find(in: name) != nil {
                    throw .usernameInvalid(name)
                }
            }),
        RecordField(
            blankable: \.clientCertificate, "clientCertificate",
            option: FieldOption("The hub's own certificate, a PEM file; empty for none.", "file"),
            check: { server throws(ConfigurationError) in
                guard let pair = server.clientCertificate else { return }
                for path in [pair.certificateFile, pair.keyFile]
                where path.isEmpty || path.utf8.contains(0) || !server.usesTLS {
                    throw .clientCertificateInvalid(path)
                }
            }),
        RecordField(
            blankable: \.caFile, "caFile",
            option: FieldOption("The authorities to trust, a PEM file; the system's by default.", "file"),
            check: { server throws(ConfigurationError) in
                guard let caFile = server.caFile else { return }
                if caFile.isEmpty || caFile.utf8.contains(0) { throw .caFileInvalid(caFile) }
                if !server.usesTLS { throw .caFileWithoutTLS(caFile) }
            }),
        RecordField(
            \.protocolVersion, "protocolVersion", cellKey: "protocol", label: FieldWords("MQTT", "MQTT"),
            editor: .choice(ProtocolVersion.allCases.map(\.rawValue)),
            option: FieldOption("The version of MQTT: 3.1.1 or 5.", "version")),
    ]

    private var endpointText: String {
        let parts = [
            address, usesTLS ? "with TLS" : "without TLS", caFile.map { "authority \(Excerpt($0))" },
            clientCertificate.map { "as \(Excerpt($0.certificateFile))" }, username.map { "user \(Excerpt($0))" },
            "MQTT \(protocolVersion.rawValue)",
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }
}
