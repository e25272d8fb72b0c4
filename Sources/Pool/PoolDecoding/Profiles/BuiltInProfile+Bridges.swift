import PoolModel

// Flat messages, and bridges that translate one product.

extension BuiltInProfile {
    static let bridges = [
        flat, zigbee2mqtt, blueriiot, njspc, aqualinkd, yc01, webApp, iopool,
    ]

    private static let flat = BuiltInProfile(
        "flat", "A flat JSON object or temp:24.5,ph:7.2 on the device's own topic; needs no mapping.",
        topic: "pool/sensor/main", every: 60)

    /// `ph_max` and similar keys are ten times too large, and they are settings, not readings.
    private static let zigbee2mqtt = BuiltInProfile(
        "zigbee2mqtt", "Tuya pool probes (BLE-YL01, YK-S03, YY-1099L) through Zigbee2MQTT.",
        topic: "zigbee2mqtt/pool", every: 1800,
        DeviceMapping(
            values: [
                ValueSource(.temperature, path: .keys("temperature")),
                ValueSource(.ph, path: .keys("ph")),
                ValueSource(.chlorine, path: .keys("free_chlorine")),
                ValueSource(.orp, path: .keys("orp")),
            ],
            time: TimeSource(path: .keys("last_seen")),
            availability: [AvailabilitySource(topic: "~/availability")]))

    /// Each value has its time in the attributes next to it.
    private static let blueriiot = BuiltInProfile(
        "blueriiot", "Blue Connect through BlueRiiot2MQTT.", topic: "blueriiot/pool_20d3be3a", every: 4320,
        DeviceMapping(
            values: [("temperature", Quantity.temperature), ("ph", .ph), ("fcl", .chlorine), ("orp", .orp)].map {
                measure, quantity in
                ValueSource(
                    quantity, topic: "~/\(measure)/state",
                    time: TimeSource(topic: "~/\(measure)/attributes", path: .keys("timestamp")))
            }))

    /// Values come only on change, and the unit on a separate topic.
    private static let njspc = BuiltInProfile(
        "njspc", "nodejs-poolController with its default MQTT bindings.", topic: "pool", every: 60,
        DeviceMapping(
            values: [
                ValueSource(
                    .temperature, topic: "~/state/temps/waterSensor1", path: .keys("temp"), unit: .fahrenheit,
                    unitPlace: UnitPlace(topic: "~/state/temps/units", path: .keys("units", "name"))),
                ValueSource(.ph, topic: "~/state/chemControllers/+/+/pHLevel", path: .keys("pHLevel")),
                ValueSource(
                    .orp, topic: "~/state/chemControllers/+/+/orpLevel", path: .keys("orpLevel"), sentinels: [0]),
            ],
            availability: [
                AvailabilitySource(
                    topic: "~/state/status", path: .keys("name"), online: [],
                    offline: ["lost", "disconnected", "stopped", "failed"])
            ],
            heartbeats: ["~/state/time"], publishesChangesOnly: true))

    /// In °C: a controller that sends °F is recognized by its implausible values, but not the other way round.
    private static let aqualinkd = BuiltInProfile(
        "aqualinkd", "Jandy controllers through AqualinkD, temperatures converted to °C.", topic: "aqualinkd",
        every: 300,
        DeviceMapping(
            values: [
                ValueSource(.temperature, topic: "~/Temperature/Pool", sentinels: [-999]),
                ValueSource(.ph, topic: "~/CHEM/pH", sentinels: [-999, 0]),
                ValueSource(.orp, topic: "~/CHEM/ORP", sentinels: [0]),
            ],
            availability: [AvailabilitySource(topic: "~/Alive")]))

    /// After a failed read the bridge sends the previous numbers with a new time; only the status tells.
    private static let yc01 = BuiltInProfile(
        "ble-yc01", "BLE-YC01 probes through the-real-orca's ESP32 bridge.", topic: "/esp32/sensor/ble-yc01",
        every: 900,
        DeviceMapping(
            values: yc01Values(
                topic: "~",
                conditions: [
                    PayloadCondition(.keys("type"), isNoneOf: ["0"]),
                    PayloadCondition(.keys("status"), isOneOf: ["data read successfully"]),
                ]),
            time: TimeSource(path: .keys("time"), form: .seconds)))

    private static let webApp = BuiltInProfile(
        "pool-monitor-webapp", "The topics of Pool-Monitoring-WebApp: the probe, and tests that a person types in.",
        topic: "pool", every: 900,
        DeviceMapping(
            values: ["ble-yc01", "manual"].flatMap { yc01Values(topic: "~/\($0)", conditions: []) },
            time: TimeSource(path: .keys("time"), form: .seconds)))

    private static func yc01Values(topic: String, conditions: [PayloadCondition]) -> [ValueSource] {
        [("temp", Quantity.temperature), ("pH", .ph), ("cl", .chlorine), ("orp", .orp)].map { key, quantity in
            ValueSource(quantity, topic: topic, path: .keys(key), conditions: conditions)
        }
    }

    private static let iopool = BuiltInProfile(
        "iopool", "The pool list of iopool's cloud, as flows push it; the first pool of the list.",
        topic: "iopool/pools", every: 900,
        DeviceMapping(
            values: [("temperature", Quantity.temperature), ("ph", .ph), ("orp", .orp)].map { key, quantity in
                ValueSource(
                    quantity, path: iopoolPath(key),
                    conditions: [PayloadCondition(iopoolPath("isValid"), isNoneOf: ["false"])])
            },
            time: TimeSource(path: iopoolPath("measuredAt"))))

    private static func iopoolPath(_ key: String) -> ValuePath {
        ValuePath([.index(0), .key("latestMeasure"), .key(key)])
    }
}
