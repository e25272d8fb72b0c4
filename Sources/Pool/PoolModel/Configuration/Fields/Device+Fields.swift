/// The table of a device's fields; limits and calibrations have a cell for each quantity.
extension Device: PatchedRecord {
    /// What the patch of a device says beside its fields.
    package struct Supplement: Codable, Hashable, Sendable {
        /// Whether another device may have the name, too; nil if none may.
        ///
        /// For an author who may not be shown whether one has.
        package var sharesName: Bool?
    }

    package static let noSupplement = Supplement()
    package static let kind = "device"

    package static func blank(id: DeviceID) -> Device {
        Device(id: id, name: "", serverID: ServerID(high: 0, low: 0), topic: "")
    }

    package static let cells: [RecordCell<Device>] = single + Quantity.allCases.flatMap(cells)

    private static let single: [RecordCell<Device>] = [
        RecordCell(
            EntryGroup.nameGroup, watches: .changed, isRequired: true,
            fields: [
                RecordField(
                    \.name, "name", label: FieldWords("Name", "Nom"), note: "1…256 bytes.",
                    editor: .text(lengthMax: 256), option: FieldOption("A name for the device.", "name"),
                    clean: { $0.name = HiddenCharacter.replaced(in: $0.name) },
                    check: { device throws(ConfigurationError) in
                        try NameRule.check(device.name, of: .device)
                    })
            ],
            words: { device, _ in "\(Excerpt(device.name))" }),
        RecordCell(
            "membership", subject: "server", watches: .seen, isRequired: true,
            fields: [
                RecordField(\.serverID, "serverID", option: FieldOption("The server that it publishes to.", "server"))
            ],
            words: { device, formatter in formatter.name(of: device.serverID.as(ConfigurationEntry.self)) }),
        RecordCell(
            "source", subject: "topic", isRequired: true, isRaw: true,
            fields: [
                RecordField(
                    \.topic, "topic",
                    option: FieldOption("The topic that it publishes to, without wildcards.", "topic"),
                    check: { device throws(ConfigurationError) in
                        if let flaw = TopicProblem.find(in: device.topic) { throw .topicInvalid(device.topic, flaw) }
                    }),
                RecordField(
                    \.deviceType, "deviceType", cellKey: "type", standard: defaultType,
                    option: FieldOption("What it is, in words.", "text"),
                    clean: { $0.deviceType = HiddenCharacter.replaced(in: $0.deviceType) },
                    check: { device throws(ConfigurationError) in
                        try NameRule.checkType(device.deviceType)
                    }),
            ],
            words: { device, _ in "\(Excerpt(device.topic)), type \(Excerpt(device.deviceType))" }),
        RecordCell(
            "timing", subject: "expected interval", watches: .seen,
            fields: [
                RecordField(
                    \.expectedIntervalSeconds, "expectedIntervalSeconds",
                    option: FieldOption(
                        "How often it reports, such as 60s; a value is fresh for three times that long.", "duration"),
                    check: { device throws(ConfigurationError) in
                        guard intervalRange.contains(device.expectedIntervalSeconds) else {
                            throw .intervalOutOfRange(device.expectedIntervalSeconds)
                        }
                    }),
                RecordField(blankable: \.learnsInterval, "learnsInterval", cellKey: "isLearned"),
            ],
            words: { device, _ in "\(device.expectedIntervalSeconds) s" }),
        RecordCell(
            "pool", watches: .seen, since: 2,
            fields: [
                RecordField(
                    removable: \.poolID, "poolID",
                    option: FieldOption("The pool that it measures; empty for none.", "pool"))
            ],
            words: { device, formatter in
                device.poolID.map { formatter.name(of: $0.as(ConfigurationEntry.self)) } ?? "none"
            }),
        RecordCell(
            "mapping", isRaw: true, value: \.mapping, fields: [RecordField(removable: \.mapping, "mapping")],
            words: { mapping in
                let values = mapping.values.map { "\(Excerpt($0.notation, scalarCountMax: 80))" }
                return (mapping.profile.map { ["profile \($0)"] + values } ?? values).joined(separator: ", ")
            }),
    ]

    /// The limits and the calibrations of a quantity.
    private static func cells(of quantity: Quantity) -> [RecordCell<Device>] {
        [
            RecordCell(
                EntryGroup.limits(quantity), subject: "\(quantity.name) limits", watches: .changed,
                since: quantity.facts.firstVersion, value: \.limits[quantity],
                check: { limits throws(ConfigurationError) in try limits.check(of: quantity) },
                words: { $0.text(of: quantity) }),
            RecordCell(
                "calibration-\(quantity.rawValue)", subject: "\(quantity.name) calibration",
                value: \.calibrations[quantity],
                words: { series in
                    guard let last = series.versions.last else { return "none" }
                    return "× \(NumberFormat.shortest(last.slope)) + \(NumberFormat.shortest(last.offset)) by "
                        + "\(Excerpt(last.author))"
                }),
        ]
    }
}

extension Limits {
    /// Checks that limits of a quantity are in order.
    func check(of quantity: Quantity) throws(ConfigurationError) {
        guard isOrdered else { throw .limitsNotOrdered(quantity, self) }
    }

    /// The limits of a quantity, for a list of changes.
    func text(of quantity: Quantity) -> String {
        "\(quantity.shortText(low))…\(quantity.shortText(high)) (critical outside "
            + "\(quantity.shortText(criticalLow))…\(quantity.shortText(criticalHigh)))"
    }
}
