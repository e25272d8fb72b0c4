import PoolControl
import PoolModel

/// The form of the exports that the hub makes by itself.
struct ExportScheduleForm: HubForm {
    func form(in context: ScreenContext) -> Form {
        let export = context.hub.export
        let periods = ExportSettings.Period.allCases
        let index = export.flatMap { periods.firstIndex(of: $0.period) }.map { $0 + 1 } ?? 0
        return Form(
            title: "Automatic exports", purpose: "One file for each hour, day, week or month.",
            fields: [
                FormField("period", "One file", .choice(["off"] + periods.map(\.rawValue), index: index)),
                FormField(
                    "format", "Format", .choice(["CSV", "JSON lines"], index: export?.format == .jsonl ? 1 : 0)),
                FormField(
                    "folder", "Folder", .text(TextField(export?.folder ?? context.settings.exportFolder)),
                    hint: "An absolute path of a folder at the hub"),
            ])
    }

    func adapt(_ form: inout Form) {
        let isOn = form["period"].index > 0
        for id in ["format", "folder"] { form.update(id) { $0.isShown = isOn } }
    }

    func reading(of form: Form, in context: ScreenContext) -> FormReading {
        let periods = ExportSettings.Period.allCases
        let index = form["period"].index - 1
        guard periods.indices.contains(index) else { return FormReading(command: .edit(.setExport(nil))) }
        let settings = ExportSettings(
            period: periods[index], format: form["format"].index == 1 ? .jsonl : .csv, folder: form.text("folder"))
        do throws(ConfigurationError) {
            try settings.validate()
        } catch {
            return FormReading(problems: ["folder": "\(error)"])
        }
        return FormReading(command: .edit(.setExport(settings)))
    }
}
