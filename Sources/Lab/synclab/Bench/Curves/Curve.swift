import CommandSupport

/// The same measurements at several sizes.
struct Curve: Encodable, Equatable {
    /// A measurement at all sizes.
    struct Line: Encodable, Equatable {
        /// What is measured.
        var name: String
        /// What its numbers count.
        var unit: String
        /// The numbers, in the order of the sizes.
        var points: [Point]

        /// The first size at which the number is more than twice the least before; nil if there is none.
        var bend: Int? {
            var least = Double.infinity
            for point in points {
                if point.value > 2 * least { return point.size }
                least = min(least, point.value)
            }
            return nil
        }
    }

    struct Point: Encodable, Equatable {
        var size: Int
        var value: Double
    }

    /// The name on the command line, and of the file.
    var name: String
    /// What grows.
    var size: String
    var lines: [Line] = []

    /// Adds what was measured at a size.
    mutating func add(_ measured: [Measured], at size: Int) {
        for one in measured {
            let point = Point(size: size, value: one.value)
            if let index = lines.firstIndex(where: { $0.name == one.name }) {
                lines[index].points.append(point)
            } else {
                lines.append(Line(name: one.name, unit: one.unit, points: [point]))
            }
        }
    }
}

/// A number that should not depend on the size.
struct Measured {
    var name: String
    var unit: String
    var value: Double

    init(_ name: String, _ unit: String, _ value: Double) {
        (self.name, self.unit, self.value) = (name, unit, value)
    }
}

/// What is measured at growing sizes, in a separate file each.
protocol CurveSubject: Sendable {
    /// Its name on the command line.
    static var name: String { get }
    /// What grows.
    static var size: String { get }
    /// The sizes, in ascending order.
    static var sizes: [Int] { get }

    init()

    /// Measures at a size.
    ///
    /// - Throws: ``CommandFailure`` if it cannot be measured.
    func measure(_ size: Int, _ bench: Bench) async throws -> [Measured]
}

extension CurveSubject {
    /// A path for a store that nothing else uses.
    func path(_ size: Int, _ bench: Bench) -> String { "\(bench.folder)/\(Self.name)-\(size)" }

    /// The seconds that work takes.
    func seconds(_ work: () throws -> Void) rethrows -> Double {
        let started = ProcessFacts.now
        try work()
        return ProcessFacts.now - started
    }
}
