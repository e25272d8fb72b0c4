package import Text

/// The short forms of the keys in announcements to Home Assistant.
///
/// The same short form means different things in different objects, for example `sw` and `name`; so there is a table
/// for each. Source: Home Assistant, "MQTT", section "Supported abbreviations in MQTT discovery messages".
package enum HomeAssistantKeys {
    /// The object whose keys are read.
    package enum Scope {
        /// The announcement, one of its components, or an entry of its availability.
        case entity
        /// The object `device`.
        case device
        /// The object `origin`.
        case origin
    }

    /// The members of an object under their full keys; of a repeated key the first one counts.
    package static func expanded(_ value: JSONValue?, scope: Scope) -> [String: JSONValue] {
        guard case .object(let members) = value else { return [:] }
        let table = table(of: scope)
        return Dictionary(members.map { (table[$0.key] ?? $0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    /// The key of an entity as an announcement has it, which may be its short form; nil if there is none.
    package static func written(_ key: String, in value: JSONValue?) -> String? {
        guard case .object(let members) = value else { return nil }
        return members.first { (entity[$0.key] ?? $0.key) == key }?.key
    }

    private static func table(of scope: Scope) -> [String: String] {
        switch scope {
        case .entity: entity
        case .device: device
        case .origin: origin
        }
    }

    /// The keys of sensors and of what takes commands, and of availability entries.
    private static let entity: [String: String] = [
        "bri_cmd_t": "brightness_command_topic", "bri_cmd_tpl": "brightness_command_template",
        "bri_scl": "brightness_scale", "bri_stat_t": "brightness_state_topic", "bri_tpl": "brightness_template",
        "bri_val_tpl": "brightness_value_template", "cmd_off_tpl": "command_off_template",
        "cmd_on_tpl": "command_on_template", "cmd_t": "command_topic", "cmd_tpl": "command_template",
        "on_cmd_type": "on_command_type", "pct_cmd_t": "percentage_command_topic",
        "pct_cmd_tpl": "percentage_command_template",
        "pct_stat_t": "percentage_state_topic", "pct_val_tpl": "percentage_value_template",
        "spd_rng_max": "speed_range_max", "spd_rng_min": "speed_range_min", "stat_closing": "state_closing",
        "stat_opening": "state_opening", "sup_clrm": "supported_color_modes",
        "opt": "optimistic", "pl_cls": "payload_close", "pl_lock": "payload_lock", "pl_open": "payload_open",
        "pl_prs": "payload_press", "pl_stop": "payload_stop", "pl_unlk": "payload_unlock",
        "pos_clsd": "position_closed",
        "pos_open": "position_open", "pos_t": "position_topic", "pos_tpl": "position_template", "ret": "retain",
        "set_pos_t": "set_position_topic", "set_pos_tpl": "set_position_template", "stat_clsd": "state_closed",
        "stat_locked": "state_locked", "stat_off": "state_off", "stat_on": "state_on", "stat_open": "state_open",
        "stat_unlocked": "state_unlocked", "stat_val_tpl": "state_value_template",
        "avty": "availability", "avty_mode": "availability_mode", "avty_t": "availability_topic",
        "avty_tpl": "availability_template", "cmp": "components", "cmps": "components", "dev": "device",
        "dev_cla": "device_class", "def_ent_id": "default_entity_id", "e": "encoding", "en": "enabled_by_default",
        "ent_cat": "entity_category", "ent_pic": "entity_picture", "exp_aft": "expire_after", "frc_upd": "force_update",
        "ic": "icon", "json_attr": "json_attributes", "json_attr_t": "json_attributes_topic",
        "json_attr_tpl": "json_attributes_template", "lrst_t": "last_reset_topic",
        "lrst_val_tpl": "last_reset_value_template", "o": "origin", "obj_id": "object_id", "off_dly": "off_delay",
        "ops": "options", "p": "platform", "pl_avail": "payload_available", "pl_not_avail": "payload_not_available",
        "pl_off": "payload_off", "pl_on": "payload_on", "stat_cla": "state_class", "stat_t": "state_topic",
        "stat_tpl": "state_template", "sug_dsp_prc": "suggested_display_precision", "t": "topic",
        "uniq_id": "unique_id", "unit_of_meas": "unit_of_measurement", "val_tpl": "value_template",
    ]

    private static let device: [String: String] = [
        "cns": "connections", "cu": "configuration_url", "hw": "hw_version", "ids": "identifiers",
        "mdl": "model", "mdl_id": "model_id", "mf": "manufacturer", "sa": "suggested_area", "sn": "serial_number",
        "sw": "sw_version",
    ]

    private static let origin: [String: String] = ["sw": "sw_version", "url": "support_url"]
}
