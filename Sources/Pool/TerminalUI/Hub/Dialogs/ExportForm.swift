import PoolControl
import PoolModel

/// The form of an export of the history.
struct ExportForm: HubForm {
    private static let spans: [(title: String, days: Int64?)] = [
        ("everything", nil), ("last day", 1), ("last 7 days", 7), ("last 30 days", 30), ("last year", 365),
    ]

    func form(in context: ScreenContext) -> Form {
        let hub = context.hub
        let devices = ["all devices"] + hub.devices.map(\.device.name)
        let current = context.device?.device.id
        let index = hub.devices.firstIndex { $0.device.id == current }.map { $0 + 1 } ?? 0
        let folder = context.settings.exportFolder
        let stamp = hub.now.iso8601.prefix(10)
        let path = "\(folder == "/" ? "" : folder)/poolsensors-\(stamp).csv"
        return Form(
            title: "Export", purpose: "Writes readings to a file at the hub; times in UTC.", action: "export",
            fields: [
                FormField("path", "File", .text(TextField(path)), hint: "An absolute path at the hub"),
                FormField("format", "Format", .choice(["CSV", "JSON lines"], index: 0)),
                FormField("device", "Device", .choice(devices, index: index)),
                FormField("span", "Time", .choice(Self.spans.map(\.title), index: 0)),
                FormField("values", "Values", .choice(ExportedValues.allCases.map(\.rawValue), index: 0)),
                FormField(
                    "replace", "Replace", .toggle(false), hint: "Whether a file of this name may be overwritten"),
            ])
    }

    func reading(of form: Form, in context: ScreenContext) -> FormReading {
        let hub = context.hub
        let path = form.text("path")
        guard path.hasPrefix("/"), !path.hasSuffix("/"), path.utf8.count <= 4096 else {
            return FormReading(problems: ["path": "Give an absolute path of a file, such as /tmp/pool.csv."])
        }
        let deviceIndex = form["device"].index - 1
        let spans = Self.spans
        let span = spans.indices.contains(form["span"].index) ? spans[form["span"].index].days : nil
        let values = ExportedValues.allCases
        let device = hub.devices.indices.contains(deviceIndex) ? hub.devices[deviceIndex].device.id : nil
        let export = HistoryExport(
            path: path, format: form["format"].index == 1 ? .jsonl : .csv,
            values: values.indices.contains(form["values"].index) ? values[form["values"].index] : .corrected,
            devices: device.map { [$0] } ?? [],
            from: span.map { hub.now.advanced(byMilliseconds: -$0 * 86_400_000) }, replaces: form["replace"].isOn)
        return FormReading(command: .history(.export(export)))
    }
}
