package import Appliances
import Text

/// What a device did that takes charge (T30).
package struct EnergyUse: Hashable, Codable, Sendable {
    /// The time that it was switched on, in seconds.
    package var seconds = 0.0
    /// The advertisements that it sent.
    package var advertisements = 0.0
    /// The time that somebody was connected, in seconds.
    package var connectedSeconds = 0.0
    /// The movements of its motor.
    package var movements = 0.0

    /// A device that did nothing.
    package init() {}

    /// A day of a device that advertises at an interval whenever nobody is connected.
    package init(dayAdvertisingEvery interval: Duration, connectedSeconds: Double, movements: Double) {
        seconds = 86_400
        advertisements = (seconds - connectedSeconds) / (interval / .seconds(1))
        self.connectedSeconds = connectedSeconds
        self.movements = movements
    }

    /// The charge by a profile, in mAh.
    package func milliampereHours(_ profile: EnergyProfile) -> Double {
        let millicoulombs =
            seconds * profile.sleepMicroamperes / 1000 + advertisements * profile.advertisementMicrocoulombs / 1000
            + connectedSeconds * profile.connectedMilliamperes + movements * profile.movementMillicoulombs
        return millicoulombs / 3600
    }

    /// What is left of the battery by a profile, 0…100 %.
    package func batteryPercent(_ profile: EnergyProfile) -> Int {
        let left = 1 - milliampereHours(profile) / profile.capacityMilliampereHours
        return Int((max(0, min(1, left)) * 100).rounded())
    }
}

/// What each deed of a device takes.
///
/// No hardware was measured: a profile must say that its numbers are assumed, and only the ratio of two results by the same
/// profile means anything.
package struct EnergyProfile: Hashable, Codable, Sendable {
    /// The charge of the battery, in mAh.
    package var capacityMilliampereHours: Double
    /// The current asleep, in µA.
    package var sleepMicroamperes: Double
    /// The charge of one advertisement, in µC.
    package var advertisementMicrocoulombs: Double
    /// The current while somebody is connected, in mA.
    package var connectedMilliamperes: Double
    /// The charge of one movement, in mC.
    package var movementMillicoulombs: Double
    private var isAssumed: Bool

    private enum CodingKeys: String, CodingKey {
        case capacityMilliampereHours, sleepMicroamperes, advertisementMicrocoulombs, connectedMilliamperes
        case movementMillicoulombs
        case isAssumed = "assumed"
    }

    /// Reads a profile.
    ///
    /// - Throws: ``ModelProblem`` if it is not one, its numbers are not positive, or it does not say that they are assumed.
    package init(json: [UInt8]) throws(ModelProblem) {
        do throws(CanonicalJSON.Failure) {
            self = try CanonicalJSON.decode(EnergyProfile.self, from: json)
        } catch {
            throw ModelProblem("the energy profile cannot be read: \(error.reason)")
        }
        guard isAssumed else {
            throw ModelProblem("the energy profile says `\"assumed\": false`: no hardware was measured, so give true")
        }
        let numbers = [
            capacityMilliampereHours, sleepMicroamperes, advertisementMicrocoulombs, connectedMilliamperes,
            movementMillicoulombs,
        ]
        guard numbers.allSatisfy({ $0 > 0 && $0.isFinite }) else {
            throw ModelProblem("the energy profile has a number that is not above 0")
        }
    }
}
