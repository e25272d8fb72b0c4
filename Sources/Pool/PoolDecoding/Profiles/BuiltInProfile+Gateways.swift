import PoolModel

// Gateways that carry many kinds of devices.

extension BuiltInProfile {
    static let gateways = [theengs, shellyGen1, shellyGen2, chirpStack, tuya, stateStream]

    /// The reading comes in °C and in °F; only one is used.
    private static let theengs = BuiltInProfile(
        "theengs", "Floating thermometers (Inkbird IBS-P01B) through Theengs or OpenMQTTGateway.",
        topic: "home/TheengsGateway/BTtoMQTT/494208001122", every: 300,
        DeviceMapping(
            values: [ValueSource(.temperature, path: .keys("tempc"))],
            availability: [AvailabilitySource(topic: "~/../../LWT")]))

    private static let shellyGen1 = BuiltInProfile(
        "shelly-gen1", "A DS18B20 on the add-on of a Shelly of the first generation.",
        topic: "shellies/shelly1-E8DB84", every: 300,
        DeviceMapping(
            values: [ValueSource(.temperature, topic: "~/ext_temperature/0", sentinels: [999])],
            availability: [AvailabilitySource(topic: "~/online")]))

    private static let shellyGen2 = BuiltInProfile(
        "shelly-gen2", "A DS18B20 on the add-on of a Shelly of the second generation or later.",
        topic: "shellyplus1-a8032ab12345", every: 300,
        DeviceMapping(
            values: [ValueSource(.temperature, topic: "~/status/temperature:100", path: .keys("tC"))],
            availability: [AvailabilitySource(topic: "~/online")]))

    private static let chirpStack = BuiltInProfile(
        "chirpstack", "LoRaWAN floats through ChirpStack 4, decoded by a codec into temperature, ph and orp.",
        topic: "application/b3a1c2d4/device/0102030405060708", every: 1800,
        DeviceMapping(
            values: [("temperature", Quantity.temperature), ("ph", .ph), ("chlorine", .chlorine), ("orp", .orp)].map {
                key, quantity in ValueSource(quantity, topic: "~/event/up", path: .keys("object", key))
            },
            time: TimeSource(path: .keys("time")), measurementID: .keys("deduplicationId")))

    /// A code that the model does not have reads 0.
    private static let tuya = BuiltInProfile(
        "tuya-dps", "Tuya Wi-Fi testers (PH-W218 and relatives) as a bridge sends their data points.",
        topic: "tuya/bf0a1b2c3d4e5f", every: 900,
        DeviceMapping(values: [
            ValueSource(.temperature, topic: "~/dps", path: .keys("temp_current"), scale: 0.1, sentinels: [0]),
            ValueSource(.ph, topic: "~/dps", path: .keys("ph_current"), scale: 0.01, sentinels: [0]),
            ValueSource(.orp, topic: "~/dps", path: .keys("orp_current"), sentinels: [0]),
        ]))

    /// An unavailable entity says so in its state.
    private static let stateStream = BuiltInProfile(
        "ha-statestream", "Sensors of Home Assistant by its statestream, named pool_temperature, pool_ph and so on.",
        topic: "homeassistant/sensor", every: 300,
        DeviceMapping(
            values: stateStreamEntities.map { entity, quantity in
                ValueSource(
                    quantity, topic: "~/\(entity)/state",
                    time: TimeSource(topic: "~/\(entity)/last_updated", path: .whole))
            }))

    private static let stateStreamEntities = [
        ("pool_temperature", Quantity.temperature), ("pool_ph", .ph), ("pool_chlorine", .chlorine),
        ("pool_orp", .orp),
    ]
}
