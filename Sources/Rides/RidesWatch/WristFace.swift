import Foundation
package import RidesApp
import RidesModel
package import Terminal
package import Text

/// The face of a watch: first the time until the driver comes, the plate and the status; below it a map and the keys.
package struct WristFace: TerminalProgram {
    private let look: ResolvedTheme
    private let shown: () -> Wrist.Shown
    private let now: () -> Timestamp
    private let act: (RidesCommand) -> Void
    private var isCancelling = false

    /// Creates a face.
    ///
    /// - Parameters:
    ///   - look: The look on this terminal.
    ///   - shown: What is to be shown now.
    ///   - now: The wall clock.
    ///   - act: Sends a command; returns at once.
    package init(
        look: ResolvedTheme, shown: @escaping () -> Wrist.Shown, now: @escaping () -> Timestamp,
        act: @escaping (RidesCommand) -> Void
    ) {
        self.look = look
        self.shown = shown
        self.now = now
        self.act = act
    }

    package mutating func draw(in view: TerminalView) -> CellBuffer {
        let shown = shown()
        let keys = isCancelling ? "x again cancels, any other key does not" : shown.view.map(Self.keys) ?? "q end"
        var rows = TextRows(view.size, look, foot: keys)
        guard let rides = shown.view else {
            rows.put("waiting for the phone …", look.style(.offline))
            return rows.finished
        }
        for (index, line) in RidesText.lines(rides, at: now()).enumerated() {
            rows.say(line, look.style(.normal, isBold: index == 0))
        }
        if !shown.isReachable { rows.put("phone out of reach", look.style(.offline)) }
        if let notice = shown.notice { rows.say(notice, look.style(.critical)) }
        let height = min(9, rows.free - 3)
        if height >= 3, let plot = Plot(rides, columns: min(view.size.columns, height * 2 + 1), rows: height, at: now())
        {
            // The blanks of a map count.
            for line in plot.lines {
                rows.put("", look.style(plot.isGrey ? .offline : .normal, isBold: false), mark: line)
            }
        }
        for event in shown.events.suffix(2) { rows.put(event, look.style(.offline)) }
        return rows.finished
    }

    private static func keys(_ view: RidesView) -> String {
        let isAccepted = view.ride?.course.estAcceptee == true
        guard let driving = view.driving else {
            return isAccepted || view.ride?.course.estEnAttente == true
                ? "x cancel  l ledger  q end" : "l ledger  q end"
        }
        if isAccepted { return "v there  b on board  c complete  x cancel  q end" }
        return (driving.offres.isEmpty ? "" : "a accept  r refuse  ")
            + (driving.statut == .hors_ligne ? "s begin work  " : "s end work  ") + "l ledger  q end"
    }

    package mutating func handle(_ input: TerminalInput, in view: TerminalView) -> TerminalAnswer {
        guard case .key(.character(let key)) = input else { return .unchanged }
        let offer = shown().view?.driving?.offres.first?.course
        if isCancelling {
            isCancelling = false
            if key == "x" { act(.cancel(reason: "from the watch")) }
            return .redraw
        }
        switch key {
        case "q": return .end
        case "x": isCancelling = true
        case "a": if let offer { act(.accept(course: offer)) }
        case "r": if let offer { act(.refuse(course: offer)) }
        case "v": act(.arrived)
        case "b": act(.onBoard)
        case "c": act(.complete)
        case "l": act(.ledger)
        case "s": act(.status(isAvailable: shown().view?.driving?.statut == .hors_ligne))
        default: return .unchanged
        }
        return .redraw
    }
}

/// A map of characters: metres, north up, with a scale.
package struct Plot {
    /// The lines, the last one with the scale.
    package let lines: [String]
    /// Whether the driver's place is older than 30 s.
    package let isGrey: Bool

    /// Draws the places of a view; nil if there are none.
    ///
    /// - Parameters:
    ///   - view: What a person is shown.
    ///   - columns: The width; a character is about half as wide as high.
    ///   - rows: The height without the scale.
    ///   - now: The time, for the age of the driver's place.
    package init?(_ view: RidesView, columns: Int, rows: Int, at now: Timestamp) {
        let fix = view.ride?.driver?.fix ?? view.driving?.fix
        let age = fix?.age(at: now)
        var pins: [(sign: Character, place: Location)] = []
        if let ride = view.ride, ride.course.estAcceptee || ride.course.estEnAttente {
            pins += [("■", ride.course.arrivee_point), ("●", ride.course.depart_point)]
        }
        for offer in view.driving?.offres ?? [] { pins.append(("●", offer.depart)) }
        if let fix, age != .unknown { pins.append(("▲", fix.localisation)) }
        guard let first = pins.first?.place, columns >= 3, rows >= 3 else { return nil }
        // Metres to the east and to the north of the first place.
        let metresPerDegree = Location.sphereRadiusMetres * .pi / 180
        let points = pins.map { pin in
            (
                sign: pin.sign,
                x: (pin.place.longitude - first.longitude) * metresPerDegree * cos(first.latitude * .pi / 180),
                y: (pin.place.latitude - first.latitude) * metresPerDegree
            )
        }
        let plot = PointPlot(points, columns: columns, rows: rows, lengthMin: 10)
        lines = plot.lines + ["N↑ \(rows) rows = \(Int((plot.lengthPerRow * Double(rows)).rounded())) m"]
        isGrey = age == .grey
    }
}
