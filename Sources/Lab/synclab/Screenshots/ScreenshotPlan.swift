import CommandSupport
import PoolModel
import WaterChemistry

/// A terminal in which a program runs for the pictures.
struct ScreenshotTerminal: Sendable {
    var name: String
    var columns: Int
    var rows: Int
    var arguments: [String]
    /// The text that must be on the screen.
    var awaited: String
}

/// A picture of some terminals, side by side.
struct ScreenshotPicture: Sendable {
    /// A terminal and the place of its upper left corner, in cells.
    struct Place: Sendable {
        var terminal: String
        var column: Int
        var row: Int
    }

    var file: String
    var places: [Place]
}

/// The contents of the pictures: three pools, one of which needs attention, and four watches, one of which is offline.
struct ScreenshotPlan: Sendable {
    /// A pool and its water.
    struct Water: Sendable {
        var name: String
        var topic: String
        /// The range of each quantity over the day.
        var course: QuantityMap<ClosedRange<Double>>
        /// The quantities that fall over the day.
        var falling: Set<Quantity>
        /// The age of the newest sample, in seconds.
        var ageSeconds: Int64
    }

    static let waters = [
        Water(
            name: "Lagoon", topic: "pool/sensor/main",
            course: [.temperature: 25.4...27.3, .ph: 7.33...7.64, .chlorine: 0.2...2.16, .orp: 621...717],
            falling: [.chlorine, .orp], ageSeconds: 4),
        Water(
            name: "Spa", topic: "pool/sensor/spa",
            course: [.temperature: 35.2...36.1, .ph: 7.28...7.36, .chlorine: 1.9...2.4, .orp: 690...715],
            falling: [.chlorine], ageSeconds: 9),
        Water(
            name: "Kids' pool", topic: "pool/sensor/kids",
            course: [.temperature: 28.8...29.4, .ph: 7.4...7.55, .chlorine: 1.5...1.9, .orp: 688...702],
            falling: [], ageSeconds: 12),
    ]
    /// The watches that run, and one that was paired and is offline.
    static let watches = ["Julien", "Amelie", "Terrace", "Bar"]
    static let absentWatch = "Poolside"
    /// The time between two samples, in seconds.
    static let intervalSeconds: Int64 = 300
    /// The samples of a day.
    static let sampleCount: Int64 = 288

    let demo: DemoPlan

    private var common: [String] {
        ["--config", demo.configuration, "--state", demo.state, "--lifeline", demo.lifeline]
    }

    private func console(_ name: String, _ columns: Int, _ rows: Int) -> ScreenshotTerminal {
        ScreenshotTerminal(
            name: name, columns: columns, rows: rows, arguments: ["console"] + common, awaited: "Lagoon")
    }

    private func watch(
        _ name: String, _ columns: Int, _ rows: Int, device: String? = nil, awaited: String = "Lagoon"
    ) -> ScreenshotTerminal {
        ScreenshotTerminal(
            name: name, columns: columns, rows: rows,
            arguments: ["watch", "--name", name] + (device.map { ["--device", $0] } ?? []) + common, awaited: awaited)
    }

    /// All terminals.
    var terminals: [ScreenshotTerminal] {
        [
            console("dashboard", 120, 36), console("phone", 48, 36),
            watch("Julien", 46, 22), watch("Amelie", 24, 10), watch("Terrace", 24, 10, device: "Spa", awaited: "Spa"),
            watch("Bar", 72, 1, awaited: "Lagoon"),
        ]
    }

    /// All pictures.
    let pictures: [ScreenshotPicture] = [
        ScreenshotPicture(
            file: "everything.png",
            places: [
                .init(terminal: "dashboard", column: 0, row: 0), .init(terminal: "Julien", column: 122, row: 0),
                .init(terminal: "Amelie", column: 121, row: 24), .init(terminal: "Terrace", column: 146, row: 24),
            ]),
        ScreenshotPicture(
            file: "phone-and-watch.png",
            places: [
                .init(terminal: "phone", column: 0, row: 0), .init(terminal: "Julien", column: 49, row: 0),
                .init(terminal: "Amelie", column: 60, row: 24),
            ]),
        ScreenshotPicture(file: "hub.png", places: [.init(terminal: "dashboard", column: 0, row: 0)]),
        ScreenshotPicture(file: "watch.png", places: [.init(terminal: "Julien", column: 0, row: 0)]),
        ScreenshotPicture(file: "line.png", places: [.init(terminal: "Bar", column: 0, row: 0)]),
    ]
}

extension ScreenshotPlan.Water {
    /// The messages of a day that ends at a moment, oldest first; the same water whenever that is.
    func messages(until now: Timestamp) -> [[UInt8]] {
        let count = ScreenshotPlan.sampleCount
        return (0...count).map { index in
            let share = Double(index) / Double(count)
            let age = (count - index) * ScreenshotPlan.intervalSeconds + ageSeconds
            return ProbePayload.json(values(at: share), at: now.advanced(byMilliseconds: -age * 1000))
        }
    }

    /// The values at a share of the day, 0…1: a smooth change with a ripple, which is zero at the end of the day.
    private func values(at share: Double) -> QuantityMap<Double> {
        var values: QuantityMap<Double> = [:]
        for (quantity, range) in course.pairs {
            let (from, to) =
                falling.contains(quantity)
                ? (range.upperBound, range.lowerBound) : (range.lowerBound, range.upperBound)
            // First slow, then fast, as in untreated water; the ripple stands for the time of day.
            let way = share * share * (3 - 2 * share)
            let wave = (share * 6.5).truncatingRemainder(dividingBy: 1)
            let ripple = (wave < 0.5 ? wave : 1 - wave) - 0.25
            let value = from + (to - from) * way + ripple * (range.upperBound - range.lowerBound) * 0.25 * (1 - share)
            let digits = quantity.decimals == 0 ? 1.0 : quantity.decimals == 1 ? 10 : 100
            values[quantity] = (value * digits).rounded() / digits
        }
        return values
    }
}
