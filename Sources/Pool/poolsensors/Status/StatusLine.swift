import ArgumentParser
import CommandSupport
import PoolControl
import PoolHub
import PoolModel
import TerminalUI

/// A device in one line.
struct StatusLine {
    /// The device.
    let glance: Glance
    private let isHubRunning: Bool

    /// Makes the line.
    ///
    /// - Parameters:
    ///   - device: The device.
    ///   - isNamed: Whether a person named it: then only its pool is assessed, otherwise all are.
    ///   - state: The hub's state.
    ///   - alerts: The open alerts.
    ///   - now: The time by the hub's clock.
    init(_ device: DeviceState, isNamed: Bool = false, in state: HubState, alerts: AlertState, at now: Timestamp) {
        var glance = device.glance(alerts: alerts, at: now)
        glance.poolName = device.device.poolID.flatMap { state.pool($0) }?.name
        glance.source = state.isRunning ? .hub : .kept(reason: "a hub that runs")
        var judged = state
        judged.alerts.state = alerts
        let all = judged.assessments(at: now)
        let own = all.filter { $0.deviceID == device.id || $0.poolID != nil && $0.poolID == device.device.poolID }
        glance.assessments = isNamed ? own : all
        self.glance = glance
        isHubRunning = state.isRunning
    }

    /// The exit code.
    var exitStatus: ExitStatus { isHubRunning ? ExitStatus(Headline(glance)) : .noHub }

    /// The status as text.
    var word: String { isHubRunning ? Headline(glance).word : "NO HUB" }

    /// The status for programs.
    var label: String { isHubRunning ? Headline(glance).label : Status.offline.rawValue }

    /// The line: what to know first, then the values with their trends.
    func text(isASCII: Bool, language: TextLanguage = .english) -> String {
        let language = isASCII ? .english : language
        func plain(_ text: String) -> String {
            isASCII
                ? String(text.replacing("°", with: "").replacing("µ", with: "u").map { $0.isASCII ? $0 : "?" }) : text
        }
        var parts = [plain(glance.sentence(in: language)), plain(glance.deviceName ?? "")]
        for gauge in glance.measuredGauges {
            let quantity = gauge.quantity
            let label = quantity == .temperature ? "" : quantity == .chlorine ? "Cl " : "\(quantity.name) "
            let trend = gauge.trend.map { trend in
                // In ASCII the arrows are the marks of values outside their limits.
                isASCII ? " \(trend.direction.word())" : " \(trend.direction.arrow())"
            }
            parts.append(label + GlanceFormat.value(quantity, of: glance, isASCII: isASCII) + (trend ?? ""))
        }
        parts += [word, glance.ageSeconds.map { DurationText.text(.seconds($0)) } ?? "?"]
        let (open, acknowledged) = (glance.alerts.unacknowledgedCount, glance.alerts.acknowledgedCount)
        if open > 0 { parts.append(open == 1 ? "1 alert" : "\(open) alerts") }
        if acknowledged > 0 { parts.append("\(acknowledged) acknowledged") }
        return parts.joined(separator: "  ")
    }

    /// The device for the line.
    ///
    /// - Parameters:
    ///   - text: The name or the start of the id; nil for the selected or the only one.
    ///   - state: The hub's state.
    ///   - folders: The folders, for the text of an error.
    /// - Returns: The device.
    /// - Throws: ``CommandFailure`` if it is not clear which.
    static func device(_ text: String?, in state: HubState, folders: StateFolders) throws -> DeviceState {
        if let text { return try state.device(named: text) }
        if let selected = state.selectedDevice { return selected }
        if state.devices.count == 1 { return state.devices[0] }
        if state.devices.isEmpty, !state.isRunning {
            throw CommandFailure("no hub runs here; \(folders.startAdvice)", exitStatus: .noHub)
        }
        let names = state.devices.map { "\"\($0.name)\"" }.joined(separator: ", ")
        throw CommandFailure(
            names.isEmpty
                ? "there is no device yet; add one with: poolsensors device add --name NAME --topic TOPIC"
                : "no device is selected: name one of \(names), or select one with: poolsensors device select NAME")
    }
}

extension GlanceFormat {
    /// Reads the value of --format.
    ///
    /// - Throws: `ValidationError` with what is wrong and the fields that exist.
    static func checked(_ text: String) throws -> GlanceFormat {
        guard !text.isEmpty else {
            throw ValidationError("--format is empty: name fields, such as '{name} {status}'")
        }
        do throws(GlanceFormatError) {
            return try GlanceFormat(text)
        } catch {
            throw ValidationError("\(error)")
        }
    }
}
