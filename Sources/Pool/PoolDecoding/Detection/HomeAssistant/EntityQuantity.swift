import PoolModel

/// The quantity of the water that an entity of Home Assistant measures, judged by its announcement.
struct EntityQuantity {
    /// The parts of an announcement that describe an entity.
    struct Description {
        var deviceClass: String?
        var unitText: String?
        var name: String?
        var ids: [String] = []
        var deviceName: String?
        var path: ValuePath?
        var topic: String
    }

    let quantity: Quantity
    let unit: SourceUnit
    let notes: [String]

    /// Judges an entity; nil if it is not one of the quantities, or only looks like one.
    init?(_ entity: Description) {
        let own = [entity.name, entity.path?.lastSpecificKey, entity.path == .whole ? entity.specificLevel : nil]
            .compactMap { $0 }
        // A topic that ends with "status" says that a value follows, but not which one.
        let ownReadings = own.map { NameReading($0) }.filter { $0 != .trap(word: "status") }
        guard !ownReadings.contains(where: \.isTrap) else { return nil }
        // Ids contain the name of the device too, so they are used only if nothing else names the quantity.
        let readings =
            ownReadings + entity.ids.map { NameReading($0) }
            + [NameReading(entity.specificLevel ?? "")]
            .filter { $0 != .trap(word: "status") }
        let specific = readings.first { $0.isTrap || $0.quantity != nil }
        let kind = entity.deviceClass.flatMap { $0.isEmpty ? nil : $0 }
        guard let quantity = Quantity(deviceClass: kind) ?? specific?.quantity,
            kind == nil || quantity.facts.deviceClass == kind
        else { return nil }
        let unit = entity.unitText.flatMap { quantity.unit($0) }
        if quantity == .temperature, entity.isOfSomethingElse(own) { return nil }
        // A unit of something else: chlorine in %, redox in µS/cm, "pH" in V.
        let hasUnit = entity.unitText.map { !$0.trimmedOfBlanks.isEmpty } ?? false
        if hasUnit, unit == nil { return nil }
        let nameUnit = ownReadings.lazy.compactMap(\.unit).first(where: quantity.has)
        self.quantity = quantity
        self.unit = unit ?? nameUnit ?? quantity.facts.unit
        let isGuessed = unit == nil && nameUnit == nil && quantity != .ph
        notes = isGuessed ? ["no unit announced, \(quantity.facts.unit.rawValue) assumed"] : []
    }
}

extension EntityQuantity {
    /// Why a sensor is not one of the quantities.
    static func reason(against entity: Description) -> String {
        let named = ([entity.name ?? ""] + entity.ids + [entity.specificLevel ?? ""]).lazy
            .compactMap { NameReading($0).quantity }.first
        if let text = entity.unitText?.trimmedOfBlanks, !text.isEmpty, let named,
            named.unit(text) == nil
        {
            return "announced to Home Assistant in \(Excerpt(String(text))), which is no unit of \(named.name)"
        }
        if let kind = entity.deviceClass, !kind.isEmpty, Quantity(deviceClass: kind) == nil {
            return "announced to Home Assistant as \(kind.shortened)"
        }
        return "announced to Home Assistant as \(Excerpt(entity.name ?? entity.ids.first ?? "something else"))"
    }
}

extension Quantity {
    /// The quantity that Home Assistant's class of a sensor names by itself; nil if none does.
    fileprivate init?(deviceClass: String?) {
        guard let deviceClass,
            let quantity = Quantity.allCases.first(where: {
                $0.facts.isNamedByDeviceClass && $0.facts.deviceClass == deviceClass
            })
        else { return nil }
        self = quantity
    }
}

/// A place in messages that is announced to Home Assistant, and is not a quantity of the water.
struct AnnouncedPlace: Hashable, Sendable {
    var topic: String
    var path: ValuePath
    /// What it is, in words.
    var reason: String
}

extension EntityQuantity.Description {
    /// The last meaningful level of the topic.
    fileprivate var specificLevel: String? {
        topic.split(separator: "/").last { NameReading($0) != .neutral }.map(String.init)
    }

    /// Whether the names say that a temperature is that of the air, the solar collector or a chip.
    fileprivate func isOfSomethingElse(_ own: [String]) -> Bool {
        let names = own + (name == nil ? ids : [])
        if names.contains(where: { NameWords($0).contains(anyOf: QuantityWords.notOfWater) }) { return true }
        guard let deviceName, !own.contains(where: { NameWords($0).namesWater }) else { return false }
        let words = NameWords(deviceName)
        return words.contains(anyOf: QuantityWords.notOfWater) && !words.namesWater
    }
}

extension NameReading {
    var isTrap: Bool { if case .trap = self { true } else { false } }

    var quantity: Quantity? { if case .quantity(let quantity, _) = self { quantity } else { nil } }

    var unit: SourceUnit? { if case .quantity(_, let unit) = self { unit } else { nil } }
}

extension ValuePath {
    /// The last meaningful key: `pH` of `pH.Data`.
    var lastSpecificKey: String? {
        for case .key(let key) in steps.reversed() where NameReading(key) != .neutral { return key }
        return nil
    }
}
