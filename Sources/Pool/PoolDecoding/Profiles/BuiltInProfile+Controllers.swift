import PoolModel

// Controllers and measuring stations that publish by themselves.

extension BuiltInProfile {
    static let controllers = [tasmotaNeoPool, espHome, poolMaster, bayrol, homiePoolController, espEasy]

    /// The reading is `Data`; `Min`, `Max` and `Setpoint` next to it are not, nor is the flag `Hydrolysis.Redox`.
    private static let tasmotaNeoPool = BuiltInProfile(
        "tasmota-neopool", "Sugar Valley NeoPool controllers (Hidrolife, Oxilife, Aquascenic …) through Tasmota.",
        topic: "tele/neopool", every: 300,
        DeviceMapping(
            values: [
                ValueSource(
                    .temperature, topic: "~/SENSOR", path: .keys("NeoPool", "Temperature"),
                    unitPlace: UnitPlace(path: .keys("TempUnit"))),
                ValueSource(.ph, topic: "~/SENSOR", path: .keys("NeoPool", "pH", "Data")),
                ValueSource(.chlorine, topic: "~/SENSOR", path: .keys("NeoPool", "Chlorine", "Data")),
                ValueSource(.orp, topic: "~/SENSOR", path: .keys("NeoPool", "Redox", "Data")),
            ],
            // The inner time has no zone.
            time: TimeSource(path: .keys("Time")),
            availability: [AvailabilitySource(topic: "~/LWT")]))

    private static let espHome = BuiltInProfile(
        "esphome", "ESPHome with its usual topics, one for each value.", topic: "pool-monitor", every: 60,
        DeviceMapping(
            values: [
                ValueSource(.temperature, topic: "~/sensor/water_temperature/state"),
                ValueSource(.ph, topic: "~/sensor/ph/state"),
                ValueSource(.chlorine, topic: "~/sensor/chlorine/state"),
                ValueSource(.orp, topic: "~/sensor/orp/state"),
            ],
            availability: [AvailabilitySource(topic: "~/status")]))

    private static let poolMaster = BuiltInProfile(
        "poolmaster", "PoolMaster for Arduino and Controllino: hundredths as integers.",
        topic: "PoolMaster_3532313237161307", every: 30,
        DeviceMapping(
            values: [
                ValueSource(.temperature, topic: "~/Meas1", path: .keys("Tmp"), scale: 0.01),
                ValueSource(.ph, topic: "~/Meas1", path: .keys("pH"), scale: 0.01),
                ValueSource(.orp, topic: "~/Meas1", path: .keys("Orp")),
            ],
            availability: [AvailabilitySource(topic: "~/status")]))

    private static let bayrol = BuiltInProfile(
        "bayrol", "Bayrol PoolAccess (Automatic SALT, Automatic Cl-pH, PM5) as its cloud sends it.",
        topic: "d02/23ASE2-06017", every: 300,
        DeviceMapping(values: [
            ValueSource(.temperature, topic: "~/v/4.98", path: .keys("v"), scale: 0.1),
            ValueSource(.ph, topic: "~/v/4.78", path: .keys("v"), scale: 0.1, sentinels: [0]),
            ValueSource(.orp, topic: "~/v/4.82", path: .keys("v"), sentinels: [0]),
        ]))

    /// The unit comes from `$unit`; the availability is the state of the probe together with that of the device.
    private static let homiePoolController = BuiltInProfile(
        "homie-pool-controller", "The pool-controller of smart-swimmingpool.com, by the Homie convention.",
        topic: "homie/pool-controller", every: 300,
        DeviceMapping(
            values: [
                ValueSource(
                    .temperature, topic: "~/pool-temp/temperature",
                    unitPlace: UnitPlace(topic: "~/pool-temp/temperature/$unit", path: .whole))
            ],
            availability: [
                AvailabilitySource(
                    topic: "~/$state", online: ["ready", "sleeping"],
                    offline: ["init", "disconnected", "lost", "alert"]),
                AvailabilitySource(topic: "~/pool-temp/state", online: ["OK"], offline: ["Error"]),
            ]))

    private static let espEasy = BuiltInProfile(
        "espeasy", "ESPEasy with its usual topics, for a task named water.", topic: "pool", every: 60,
        DeviceMapping(
            values: [
                ValueSource(.temperature, topic: "~/water/temperature"),
                ValueSource(.ph, topic: "~/water/ph"),
                ValueSource(.orp, topic: "~/water/orp"),
            ],
            availability: [AvailabilitySource(topic: "~/status")]))
}
