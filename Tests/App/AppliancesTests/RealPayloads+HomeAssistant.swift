/// Announcements to Home Assistant, as Zigbee2MQTT 2, ESPHome 2025, zwave-js-ui 10, Frigate and others make them.
extension RealPayload {
    private static let bridge =
        #""availability":[{"topic":"zigbee2mqtt/bridge/state","value_template":"{{ value_json.state }}"}],"origin":{"name":"Zigbee2MQTT","sw":"2.1.3"}"#

    static let homeAssistant: [RealPayload] = [
        RealPayload(
            "Zigbee2MQTT: a wall switch of two gangs", "homeassistant/switch/0x00158d0004a1/switch_left/config",
            #"{\#(bridge),"command_topic":"zigbee2mqtt/Wall/left/set","device":{"identifiers":["zigbee2mqtt_0x00158d0004a1"],"name":"Wall"},"name":"Left","object_id":"wall_left","payload_off":"OFF","payload_on":"ON","state_topic":"zigbee2mqtt/Wall","unique_id":"0x00158d0004a1_switch_left_zigbee2mqtt","value_template":"{{ value_json.state_left }}"}"#,
            ["Wall Left · switch · on, off, toggle"],
            [
                .sends("on", "zigbee2mqtt/Wall/left/set ON"),
                .hears("zigbee2mqtt/Wall", #"{"state_left":"OFF","state_right":"ON"}"#, "off unknown"),
                .hears("zigbee2mqtt/Wall", #"{"linkquality":87,"state_left":"ON","state_right":"ON"}"#, "on unknown ✓"),
                .hears("zigbee2mqtt/bridge/state", #"{"state":"online"}"#, "on online"),
            ]),
        RealPayload(
            "Zigbee2MQTT: a child lock has words of its own", "homeassistant/switch/0x588e/child_lock/config",
            #"{\#(bridge),"command_topic":"zigbee2mqtt/TRV/set/child_lock","device":{"name":"TRV"},"name":"Child lock","payload_off":"UNLOCK","payload_on":"LOCK","state_off":"UNLOCK","state_on":"LOCK","state_topic":"zigbee2mqtt/TRV","unique_id":"a","value_template":"{{ value_json.child_lock }}"}"#,
            ["TRV Child lock · switch · on, off, toggle"],
            [
                .sends("on", "zigbee2mqtt/TRV/set/child_lock LOCK"),
                .hears("zigbee2mqtt/TRV", #"{"child_lock":"LOCK","local_temperature":21}"#, "on unknown ✓"),
            ]),
        RealPayload(
            "Zigbee2MQTT: a template decides what is on", "homeassistant/switch/0x90fd/led_disabled_night/config",
            #"{\#(bridge),"command_topic":"zigbee2mqtt/Plug/set/led_disabled_night","device":{"name":"Plug"},"name":"LED","payload_off":"false","payload_on":"true","state_topic":"zigbee2mqtt/Plug","unique_id":"b","value_template":"{% if value_json.led_disabled_night %}true{% else %}false{% endif %}"}"#,
            ["Plug LED · switch · on, off, toggle"],
            [
                .sends("on", "zigbee2mqtt/Plug/set/led_disabled_night true"),
                .hears("zigbee2mqtt/Plug", #"{"led_disabled_night":false}"#, "off unknown"),
                .hears("zigbee2mqtt/Plug", #"{"led_disabled_night":true}"#, "on unknown ✓"),
            ]),
        RealPayload(
            "Zigbee2MQTT: joining is permitted by JSON",
            "homeassistant/switch/1221051039810110150109113116116_0x00/permit_join/config",
            #"{"command_topic":"zigbee2mqtt/bridge/request/permit_join","name":"Permit join","payload_off":"{\"time\": 0}","payload_on":"{\"time\": 254}","state_off":"false","state_on":"true","state_topic":"zigbee2mqtt/bridge/info","unique_id":"c","value_template":"{{ value_json.permit_join | lower }}"}"#,
            ["Permit join · switch · on, off, toggle"],
            [
                .sends("on", #"zigbee2mqtt/bridge/request/permit_join {"time": 254}"#),
                .hears("zigbee2mqtt/bridge/info", #"{"permit_join":true,"version":"2.1.3"}"#, "on unknown ✓"),
            ]),
        RealPayload(
            "Zigbee2MQTT: a scene", "homeassistant/scene/3/scene_3/config",
            #"{\#(bridge),"command_topic":"zigbee2mqtt/Living/set","device":{"name":"Living"},"name":"Movie","payload_on":"{ \"scene_recall\": 3 }","unique_id":"d"}"#,
            ["Living Movie · scene · press"], [.sends("press", #"zigbee2mqtt/Living/set { "scene_recall": 3 }"#)]),
        RealPayload(
            "Zigbee2MQTT: a lock", "homeassistant/lock/0x000d6f/lock/config",
            #"{\#(bridge),"command_topic":"zigbee2mqtt/Front/set","device":{"name":"Front"},"name":null,"payload_lock":"LOCK","payload_unlock":"UNLOCK","state_locked":"LOCK","state_unlocked":"UNLOCK","state_topic":"zigbee2mqtt/Front","unique_id":"e","value_template":"{{ value_json.state }}"}"#,
            ["Front · lock · lock, unlock"],
            [
                .sends("lock", "zigbee2mqtt/Front/set LOCK"),
                .hears("zigbee2mqtt/Front", #"{"lock_state":"not_fully_locked","state":"UNLOCK"}"#, "unlocked unknown"),
                .hears("zigbee2mqtt/Front", #"{"lock_state":"locked","state":"LOCK"}"#, "locked unknown ✓"),
                .sends("open", "✗ \"Front\" cannot `open`: it can lock, unlock"),
            ]),
        RealPayload(
            "Zigbee2MQTT: a thermostat is not shown, with the reason", "homeassistant/climate/0x588e/climate/config",
            #"{\#(bridge),"device":{"name":"TRV"},"name":null,"mode_command_topic":"zigbee2mqtt/TRV/set/system_mode","temperature_command_topic":"zigbee2mqtt/TRV/set/occupied_heating_setpoint","unique_id":"f"}"#,
            [#"✗ "TRV": things of the kind "climate" are not shown"#]),
        RealPayload(
            "Zigbee2MQTT: a contact whose words are no texts", "homeassistant/binary_sensor/0x00158d/contact/config",
            #"{\#(bridge),"device":{"name":"Door"},"device_class":"door","name":null,"payload_off":true,"payload_on":false,"state_topic":"zigbee2mqtt/Door","unique_id":"g","value_template":"{{ value_json.contact }}"}"#,
            ["Door · sensor · "],
            [
                .hears("zigbee2mqtt/Door", #"{"battery":97,"contact":false}"#, "on unknown"),
                .hears("zigbee2mqtt/Door", #"{"battery":97,"contact":true}"#, "off unknown"),
                .sends("on", "✗ \"Door\" cannot `on`: it only shows a state"),
            ]),
        RealPayload(
            "Zigbee2MQTT: a fan whose speeds are computed", "homeassistant/fan/0x7cb0/fan/config",
            #"{\#(bridge),"command_topic":"zigbee2mqtt/Fan/set/fan_state","device":{"name":"Fan"},"name":null,"percentage_command_template":"{{ {0:'off', 1:'low', 2:'medium', 3:'high'}[value] | default('') }}","percentage_command_topic":"zigbee2mqtt/Fan/set/fan_mode","percentage_state_topic":"zigbee2mqtt/Fan","speed_range_max":3,"speed_range_min":1,"state_topic":"zigbee2mqtt/Fan","state_value_template":"{{ value_json.fan_state }}","unique_id":"h"}"#,
            ["Fan · fan · on, off, toggle"],
            [
                .sends("on", "zigbee2mqtt/Fan/set/fan_state ON"),
                .hears("zigbee2mqtt/Fan", #"{"fan_mode":"low","fan_state":"ON"}"#, "on unknown ✓"),
            ]),
        RealPayload(
            "Zigbee2MQTT: a temperature with its unit", "homeassistant/sensor/0x00158d/temperature/config",
            #"{\#(bridge),"device":{"name":"Bath"},"device_class":"temperature","name":"Temperature","state_class":"measurement","state_topic":"zigbee2mqtt/Bath","unique_id":"i","unit_of_measurement":"°C","value_template":"{{ value_json.temperature }}"}"#,
            ["Bath Temperature · sensor · "],
            [.hears("zigbee2mqtt/Bath", #"{"temperature":21.48}"#, "21.48 °C unknown")]),
        RealPayload(
            "ESPHome: a fan of three speeds", "homeassistant/fan/attic/fan/config",
            #"{"name":"Fan","pct_cmd_t":"attic/fan/fan/speed_level/command","pct_stat_t":"attic/fan/fan/speed_level/state","spd_rng_max":3,"stat_t":"attic/fan/fan/state","cmd_t":"attic/fan/fan/command","avty_t":"attic/status","uniq_id":"ESPfanfan","dev":{"ids":"a4cf12f0aabb","name":"Attic","mf":"Espressif"}}"#,
            ["Attic Fan · fan · on, off, toggle, level"],
            [
                .sends("level 50", "attic/fan/fan/speed_level/command 2"),
                .hears("attic/fan/fan/state", "ON", "on unknown"),
                .hears("attic/fan/fan/speed_level/state", "2", "67 % unknown ✓"),
                .sends("level 0", "attic/fan/fan/command OFF"), .hears("attic/fan/fan/state", "OFF", "off unknown ✓"),
                .hears("attic/status", "offline", "off offline"),
            ]),
        RealPayload(
            "ESPHome: a valve", "homeassistant/valve/tap/main/config",
            #"{"dev_cla":"water","name":"Main","stat_t":"tap/valve/main/state","cmd_t":"tap/valve/main/command","avty_t":"tap/status","uniq_id":"ESPvalvemain","dev":{"name":"Tap"}}"#,
            ["Tap Main · cover · on, off"],
            [
                .sends("off", "tap/valve/main/command CLOSE"),
                .hears("tap/valve/main/state", "closed", "off unknown ✓"),
                .sends("on", "tap/valve/main/command OPEN"), .hears("tap/valve/main/state", "opening", "off unknown ✓"),
                .sends("stop", "✗ \"Tap Main\" cannot `stop`: it can on, off"),
            ]),
        RealPayload(
            "a valve that reports its position", "homeassistant/valve/w1/config",
            #"{"name":"Water","command_topic":"water/set","state_topic":"water","reports_position":true}"#,
            ["Water · cover · on, off, position"],
            [
                .sends("position 30", "water/set 30"), .hears("water", "30", "30 % unknown ✓"),
                .sends("on", "water/set 100"), .hears("water", #"{"state":"opening","position":45}"#, "45 % unknown ✓"),
            ]),
        RealPayload(
            "ESPHome: a switch with an assumed state", "homeassistant/switch/pump/relay/config",
            #"{"name":"Relay","opt":true,"stat_t":"pump/switch/relay/state","cmd_t":"pump/switch/relay/command","avty_t":"pump/status","uniq_id":"ESPswitchrelay","dev":{"name":"Pump"}}"#,
            ["Pump Relay · switch · on, off, toggle"],
            [.sends("on", "pump/switch/relay/command ON"), .hears("pump/switch/relay/state", "ON", "on unknown")]),
        RealPayload(
            "ESPHome: a number", "homeassistant/number/pump/minutes/config",
            #"{"min":0,"max":30,"step":1,"unit_of_meas":"min","mode":"auto","name":"Minutes","stat_t":"pump/number/minutes/state","cmd_t":"pump/number/minutes/command","uniq_id":"ESPnumber","dev":{"name":"Pump"}}"#,
            ["Pump Minutes · number · number"],
            [
                .sends("number 12", "pump/number/minutes/command 12"),
                .hears("pump/number/minutes/state", "12.0", "12.0 unknown ✓"),
                .sends("number 31", "✗ the number is 31: give 0 to 30"),
            ]),
        RealPayload(
            "zwave-js-ui: a plug with true and false", "homeassistant/switch/plug/switch/config",
            #"{"payload_off":false,"payload_on":true,"value_template":"{{ value_json.value }}","command_topic":"zwave/plug/37/0/targetValue/set","state_topic":"zwave/plug/37/0/currentValue","name":"plug_switch","unique_id":"zwavejs2mqtt_0xe3_7-37-0-currentValue"}"#,
            ["plug_switch · switch · on, off, toggle"],
            [
                .sends("on", "zwave/plug/37/0/targetValue/set True"),
                .hears("zwave/plug/37/0/currentValue", #"{"time":1733000000000,"value":true}"#, "on unknown ✓"),
            ]),
        RealPayload(
            "zwave-js-ui: a blind from 0 to 99", "homeassistant/cover/blind/position/config",
            #"{"command_topic":"zwave/blind/38/0/targetValue/set","state_topic":"zwave/blind/38/0/currentValue","position_topic":"zwave/blind/38/0/currentValue","set_position_topic":"zwave/blind/38/0/targetValue/set","value_template":"{{ value_json.value | round(0) }}","position_template":"{{ value_json.value | round(0) }}","position_open":99,"position_closed":0,"payload_open":"99","payload_close":"0","name":"blind_position"}"#,
            ["blind_position · cover · on, off, stop, position"],
            [
                .sends("on", "zwave/blind/38/0/targetValue/set 99"),
                .sends("position 50", "zwave/blind/38/0/targetValue/set 50"),
                .hears("zwave/blind/38/0/currentValue", #"{"value":50}"#, "51 % unknown ✓"),
            ]),
        RealPayload(
            "zwave-js-ui: a lock", "homeassistant/lock/door/lock/config",
            #"{"command_topic":"zwave/door/98/0/targetMode/set","state_locked":"true","state_unlocked":"false","payload_lock":"true","payload_unlock":"false","value_template":"{{ value_json.value | lower }}","state_topic":"zwave/door/98/0/boltStatus","name":"door_lock"}"#,
            ["door_lock · lock · lock, unlock"],
            [
                .sends("unlock", "zwave/door/98/0/targetMode/set false"),
                .hears("zwave/door/98/0/boltStatus", #"{"value":false}"#, "unlocked unknown ✓"),
            ]),
        RealPayload(
            "the form of a device, with true and false, a fault and what is not shown",
            "homeassistant/device/pump1/config",
            #"{"device":{"identifiers":["pump1"],"name":"Pump"},"origin":{"name":"pump2mqtt"},"~":"pump/1","components":{"run":{"platform":"switch","name":"Run","command_topic":"~/run/set","state_topic":"~/state","value_template":"{{ value_json.run }}","payload_on":true,"payload_off":false,"unique_id":"p1"},"fault":{"platform":"binary_sensor","name":"Fault","value_template":"{{ 'ON' if value_json.code > 0 else 'OFF' }}","unique_id":"p2"},"mode":{"p":"climate","name":"Mode","unique_id":"p3"}},"state_topic":"~/state","availability":[{"topic":"~/online","payload_available":"1","payload_not_available":"0"}]}"#,
            [
                "Pump Run · switch · on, off, toggle", "Pump Fault · sensor · ",
                #"✗ "Pump Mode": things of the kind "climate" are not shown"#,
            ],
            [
                .sends("off", "pump/1/run/set False"),
                .hears("pump/1/state", #"{"run":false,"code":0}"#, "off unknown ✓"),
                .hears("pump/1/online", "1", "off online"), .take(1),
                .hears("pump/1/state", #"{"run":false,"code":7}"#, "on unknown"),
                .hears("pump/1/online", "0", "on offline"),
            ]),
        RealPayload(
            "a relay that has one topic for both: what comes there is the command", "homeassistant/switch/r1/config",
            #"{"name":"Relay","cmd_t":"relay/1","stat_t":"relay/1"}"#, ["Relay · switch · on, off, toggle"],
            [.sends("on", "relay/1 ON"), .hears("relay/1", "ON", "on unknown")]),
        RealPayload(
            "a gate without a stop, which says that it is moving", "homeassistant/cover/g1/config",
            #"{"name":"Gate","cmd_t":"gate/set","stat_t":"gate","pl_stop":null}"#, ["Gate · cover · on, off"],
            [
                .hears("gate", "open", "on unknown"), .sends("off", "gate/set CLOSE"),
                .hears("gate", "opening", "on unknown"), .hears("gate", "closing", "on unknown ✓"),
                .hears("gate", "closed", "off unknown"),
            ]),
        RealPayload(
            "a select in short keys", "homeassistant/select/heat/config",
            #"{"name":"Heat","ops":["eco","boost"],"cmd_t":"heat/set","cmd_tpl":"{\"mode\":\"{{ value }}\"}","stat_t":"heat","val_tpl":"{{ value_json.mode }}"}"#,
            ["Heat · select · choose"],
            [
                .sends("choose eco", #"heat/set {"mode":"eco"}"#), .hears("heat", #"{"mode":"eco"}"#, "eco unknown ✓"),
                .sends("choose off", "✗ \"off\" is no option: give one of eco, boost"),
            ]),
        RealPayload(
            "a button that says what to press", "homeassistant/button/ident/config",
            #"{"name":"Identify","command_topic":"x/set","payload_press":"{\"identify\":\"identify\"}"}"#,
            ["Identify · button · press"], [.sends("press", #"x/set {"identify":"identify"}"#)]),
    ]

    static let homeAssistantLights: [RealPayload] = [
        RealPayload(
            "ESPHome: a light", "homeassistant/light/desk/desk/config",
            #"{"schema":"json","clrm":true,"sup_clrm":["brightness"],"name":"Lamp","stat_t":"desk/light/lamp/state","cmd_t":"desk/light/lamp/command","avty_t":"desk/status","uniq_id":"ESPlightlamp","dev":{"ids":"a4cf12f0aabb","name":"Desk"}}"#,
            ["Desk Lamp · light · on, off, toggle, level"],
            [
                .sends("level 40", #"desk/light/lamp/command {"state":"ON","brightness":102}"#),
                .hears(
                    "desk/light/lamp/state", #"{"state":"ON","brightness":102,"color_mode":"brightness","color":{}}"#,
                    "40 % unknown ✓"),
                .sends("level 0", #"desk/light/lamp/command {"state":"OFF"}"#),
                .hears("desk/light/lamp/state", #"{"state":"OFF","brightness":102}"#, "off unknown ✓"),
            ]),
        RealPayload(
            "ESPHome: a light that is only on or off", "homeassistant/light/desk/relay/config",
            #"{"schema":"json","sup_clrm":["onoff"],"name":"Relay","stat_t":"desk/light/relay/state","cmd_t":"desk/light/relay/command"}"#,
            ["Relay · light · on, off, toggle"],
            [
                .sends("on", #"desk/light/relay/command {"state":"ON"}"#),
                .hears("desk/light/relay/state", #"{"state":"ON","color_mode":"onoff"}"#, "on unknown ✓"),
            ]),
        RealPayload(
            "Tasmota 8: a light with the template of a switch, and short topics",
            "homeassistant/light/3F21A0_LI_1/config",
            #"{"name":"Strip","cmd_t":"~cmnd/POWER","stat_t":"~tele/STATE","val_tpl":"{{value_json.POWER}}","pl_off":"OFF","pl_on":"ON","avty_t":"~tele/LWT","pl_avail":"Online","pl_not_avail":"Offline","uniq_id":"3F21A0_LI_1","~":"strip/","bri_cmd_t":"~cmnd/Dimmer","bri_stat_t":"~tele/STATE","bri_scl":100,"on_cmd_type":"brightness","bri_val_tpl":"{{value_json.Dimmer}}"}"#,
            ["Strip · light · on, off, toggle, level"],
            [
                .sends("level 40", "strip/cmnd/Dimmer 40"),
                .hears("strip/tele/STATE", #"{"POWER":"ON","Dimmer":40}"#, "40 % unknown ✓"),
                .hears("strip/tele/LWT", "Offline", "40 % offline"),
            ]),
        RealPayload(
            "zwave-js-ui: a dimmer whose commands are computed is shown", "homeassistant/light/hall/dimmer/config",
            #"{"supported_color_modes":["brightness"],"schema":"template","brightness_template":"{{ (value_json.value / 99 * 255) | round(0) }}","state_topic":"zwave/hall/38/0/currentValue","state_template":"{{ \"off\" if value_json.value == 0 else \"on\" }}","command_topic":"zwave/hall/38/0/targetValue/set","command_on_template":"{{ ((brightness / 255 * 99) | round(0)) if brightness is defined else 255 }}","command_off_template":"0","name":"hall_dimmer"}"#,
            ["hall_dimmer · light · "],
            [
                .hears("zwave/hall/38/0/currentValue", #"{"value":50}"#, "51 % unknown"),
                .hears("zwave/hall/38/0/currentValue", #"{"value":0}"#, "off unknown"),
            ]),
        RealPayload(
            "a light of templates without brightness", "homeassistant/light/t1/config",
            #"{"schema":"template","name":"Sign","command_topic":"sign/set","command_on_template":"{\"on\":1}","command_off_template":"{\"on\":0}","state_topic":"sign","state_template":"{{ 'on' if value_json.on else 'off' }}"}"#,
            ["Sign · light · on, off, toggle"],
            [.sends("on", #"sign/set {"on":1}"#), .hears("sign", #"{"on":1}"#, "on unknown ✓")]),
        RealPayload(
            "a light of the default form, dimmed on another topic", "homeassistant/light/l1/config",
            #"{"name":"Porch","command_topic":"porch/switch","state_topic":"porch/status","payload_on":1,"payload_off":0,"brightness_command_topic":"porch/dim","brightness_state_topic":"porch/level","brightness_command_template":"{{ value | int }}"}"#,
            ["Porch · light · on, off, toggle, level"],
            [
                .sends("on", "porch/switch 1"), .hears("porch/status", "1", "on unknown ✓"),
                .sends("level 50", "porch/dim 128"), .hears("porch/level", "128", "50 % unknown ✓"),
            ]),
    ]
}
