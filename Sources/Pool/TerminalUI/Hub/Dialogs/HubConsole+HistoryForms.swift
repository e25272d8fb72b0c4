import PoolControl
import PoolModel

extension HubConsole {
    mutating func openExportForm() {
        let devices = ["all devices"] + hub.devices.map(\.device.name)
        let current = currentDevice?.device.id
        let index = hub.devices.firstIndex { $0.device.id == current }.map { $0 + 1 } ?? 0
        let stamp = hub.now.iso8601.prefix(10)
        let path = "\(exportFolder == "/" ? "" : exportFolder)/poolsensors-\(stamp).csv"
        open(
            .export,
            Form(
                title: "Export", purpose: "Writes readings to a file at the hub; times in UTC.", deed: "export",
                fields: [
                    FormField("path", "File", .text(TextField(path)), hint: "An absolute path at the hub"),
                    FormField("format", "Format", .choice(["CSV", "JSON lines"], index: 0)),
                    FormField("device", "Device", .choice(devices, index: index)),
                    FormField("span", "Time", .choice(Self.exportSpans.map(\.title), index: 0)),
                    FormField("values", "Values", .choice(HistoryExport.Values.allCases.map(\.rawValue), index: 0)),
                    FormField(
                        "replace", "Replace", .toggle(false), hint: "Whether a file of this name may be overwritten"),
                ]))
    }

    private static let exportSpans: [(title: String, days: Int64?)] = [
        ("everything", nil), ("last day", 1), ("last 7 days", 7), ("last 30 days", 30), ("last year", 365),
    ]

    func exportReading(_ form: Form) -> FormReading {
        let path = form.text("path")
        guard path.hasPrefix("/"), !path.hasSuffix("/"), path.utf8.count <= 4096 else {
            return FormReading(problems: ["path": "Give an absolute path of a file, such as /tmp/pool.csv."])
        }
        let deviceIndex = form["device"].index - 1
        let spans = Self.exportSpans
        let span = spans.indices.contains(form["span"].index) ? spans[form["span"].index].days : nil
        let values = HistoryExport.Values.allCases
        let device = hub.devices.indices.contains(deviceIndex) ? hub.devices[deviceIndex].device.id : nil
        let export = HistoryExport(
            path: path, format: form["format"].index == 1 ? .jsonl : .csv,
            values: values.indices.contains(form["values"].index) ? values[form["values"].index] : .corrected,
            devices: device.map { [$0] } ?? [],
            from: span.map { hub.now.advanced(byMilliseconds: -$0 * 86_400_000) }, replaces: form["replace"].isOn)
        return FormReading(command: .history(.export(export)))
    }

    // MARK: Retention

    mutating func openRetentionForm() {
        let settings = hub.history
        open(
            .retention,
            Form(
                title: "History", purpose: "Single readings are kept for a while, summaries for charts much longer.",
                fields: [
                    FormField("raw", "Readings, days", .text(TextField("\(settings.rawDays)")), hint: "7 to 3650"),
                    FormField(
                        "summary", "Summaries, days", .text(TextField("\(settings.summaryDays)")),
                        hint: "Not less than the readings, at most 36500"),
                ]))
    }

    func retentionReading(_ form: Form) -> FormReading {
        var reading = FormReading()
        let raw = count(form, "raw", HistorySettings.rawRange, &reading)
        let summary = count(form, "summary", raw...HistorySettings.summaryDaysMax, &reading)
        if reading.problems.isEmpty {
            reading.command = .setHistory(HistorySettings(rawDays: raw, summaryDays: summary))
        }
        return reading
    }

    // MARK: Export by itself

    mutating func openAutoExportForm() {
        let export = hub.export
        let periods = ExportSettings.Period.allCases
        let index = export.flatMap { periods.firstIndex(of: $0.period) }.map { $0 + 1 } ?? 0
        open(
            .autoExport,
            Form(
                title: "Export by itself", purpose: "One file for each hour, day, week or month.",
                fields: [
                    FormField("period", "One file", .choice(["off"] + periods.map(\.rawValue), index: index)),
                    FormField(
                        "format", "Format", .choice(["CSV", "JSON lines"], index: export?.format == .jsonl ? 1 : 0)),
                    FormField(
                        "folder", "Folder", .text(TextField(export?.folder ?? exportFolder)),
                        hint: "An absolute path of a folder at the hub"),
                ]))
    }

    func autoExportReading(_ form: Form) -> FormReading {
        let periods = ExportSettings.Period.allCases
        let index = form["period"].index - 1
        guard periods.indices.contains(index) else { return FormReading(command: .setExport(nil)) }
        let settings = ExportSettings(
            period: periods[index], format: form["format"].index == 1 ? .jsonl : .csv, folder: form.text("folder"))
        do throws(ConfigurationError) {
            try settings.validate()
        } catch {
            return FormReading(problems: ["folder": "\(error)"])
        }
        return FormReading(command: .setExport(settings))
    }
}
