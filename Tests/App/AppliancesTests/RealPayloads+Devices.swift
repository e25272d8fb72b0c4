/// Announcements and messages of devices with Tasmota 12 to 14, and of Shelly devices of the second and third generation.
extension RealPayload {
    private static let rest =
        #""ip":"192.168.1.61","hn":"tasmota-3F21A0-0416","mac":"A4CF123F21A0","md":"Generic","ty":0,"cam":0,"ofln":"Offline","onln":"Online","state":["OFF","ON","TOGGLE","HOLD"],"sw":"14.2.0","ft":"%prefix%/%topic%/","tp":["cmnd","stat","tele"],"swc":[-1,-1],"swn":[null,null],"btn":[0,0],"lt_st":0,"bat":0,"dslp":0,"sht":[],"ver":1"#

    /// An announcement: relays, names, options, and what else there is.
    private static func device(
        _ relays: String, names: String = #""A","B",null,null"#, options: String = #""4":0,"30":0,"68":0"#,
        _ more: String = #""if":0,"lk":0,"sho":[]"#
    ) -> String {
        #"{"dn":"Box","t":"box","rl":[\#(relays),0,0,0,0],"fn":[\#(names)],"so":{\#(options)},\#(more),\#(rest)}"#
    }

    private static let config = "tasmota/discovery/A4CF123F21A0/config"

    static let tasmota: [RealPayload] = [
        RealPayload(
            "one relay with SetOption26, which numbers it", config, device("1"), ["A · switch · on, off, toggle"],
            [
                .sends("on", "cmnd/box/POWER ON"), .hears("stat/box/RESULT", #"{"POWER1":"ON"}"#, "on unknown ✓"),
                .hears("stat/box/POWER1", "ON", "on unknown"),
            ]),
        RealPayload(
            "one relay that says what was set", config, device("1"), ["A · switch · on, off, toggle"],
            [
                .sends("on", "cmnd/box/POWER ON"), .hears("stat/box/RESULT", #"{"PowerOnState":3}"#, "– unknown"),
                .hears("stat/box/RESULT", #"{"SetOption26":"ON"}"#, "– unknown"),
                .hears("stat/box/RESULT", #"{"Command":"Unknown","Input":"POWERX"}"#, "– unknown"),
                .hears("stat/box/STATUS", #"{"Status":{"Module":1,"Power":1,"PowerOnState":3}}"#, "– unknown"),
                .hears("tele/box/SENSOR", #"{"ENERGY":{"Power":3}}"#, "– unknown"),
                .hears("tele/box/UPTIME", #"{"Uptime":"1T00:00:00"}"#, "– unknown"),
                .hears(
                    "stat/box/STATUS11", #"{"StatusSTS":{"Time":"2026-06-01T12:00:00","POWER":"ON","Wifi":{"AP":1}}}"#,
                    "on unknown ✓"),
            ]),
        RealPayload(
            "two relays", config, device("1,1"), ["A · switch · on, off, toggle", "B · switch · on, off, toggle"],
            [
                .take(1), .sends("on", "cmnd/box/POWER2 ON"),
                .hears("stat/box/RESULT", #"{"POWER1":"ON"}"#, "– unknown"),
                .hears("stat/box/RESULT", #"{"POWER2":"ON"}"#, "on unknown ✓"),
                .hears("tele/box/STATE", #"{"UptimeSec":4208,"POWER1":"ON","POWER2":"OFF"}"#, "off unknown"),
                .hears("tele/box/LWT", "Online", "off online"),
            ]),
        RealPayload(
            "SetOption4 answers under the name of the command", config, device("1,1", options: #""4":1,"30":0,"68":0"#),
            ["A · switch · on, off, toggle", "B · switch · on, off, toggle"],
            [
                .sends("toggle", "cmnd/box/POWER1 TOGGLE"),
                .hears("stat/box/POWER1", #"{"POWER1":"ON"}"#, "on unknown ✓"),
            ]),
        RealPayload(
            "SetOption30 makes lights of relays", config, device("1", options: #""4":0,"30":1,"68":0"#),
            ["A · light · on, off, toggle"], [.sends("level 40", "✗ \"A\" cannot `level 40`: it can on, off, toggle")]),
        RealPayload(
            "words of another language in StateText", config,
            device("1").replacing(#"["OFF","ON","TOGGLE","HOLD"]"#, with: #"["AUS","AN","UM","HALT"]"#),
            ["A · switch · on, off, toggle"],
            [.sends("off", "cmnd/box/POWER OFF"), .hears("stat/box/RESULT", #"{"POWER":"AUS"}"#, "off unknown ✓")]),
        RealPayload(
            "the same word for two states crashes nothing", config,
            device("1").replacing(#"["OFF","ON","TOGGLE","HOLD"]"#, with: #"["X","X"]"#).replacing(
                #""onln":"Online""#, with: #""onln":"Offline""#), ["A · switch · on, off, toggle"],
            [.hears("stat/box/POWER", "X", "on unknown"), .hears("tele/box/LWT", "Offline", "on offline")]),
        RealPayload(
            "a full topic with the host's name and the end of its address", config,
            device("1").replacing("%prefix%/%topic%/", with: "home/%hostname%/%id%/%prefix%/%topic%/"),
            ["A · switch · on, off, toggle"],
            [
                .sends("on", "home/tasmota-3F21A0-0416/3F21A0/cmnd/box/POWER ON"),
                .hears("home/tasmota-3F21A0-0416/3F21A0/stat/box/RESULT", #"{"POWER":"ON"}"#, "on unknown ✓"),
            ]),
        RealPayload(
            "a full topic with a wildcard is refused", config,
            device("1").replacing("%prefix%/%topic%/", with: "%prefix%/+/%topic%/"), []),
        RealPayload(
            "one light", config, device("2"), ["A · light · on, off, toggle, level"],
            [
                .sends("level 40", "cmnd/box/Dimmer 40"),
                .hears(
                    "stat/box/RESULT",
                    #"{"POWER":"ON","Dimmer":40,"Color":"66,66","HSBColor":"0,0,40","White":40,"CT":327,"Channel":[40,40]}"#,
                    "40 % unknown ✓"),
                .sends("level 0", "cmnd/box/Dimmer 0"),
                .hears("stat/box/RESULT", #"{"POWER":"OFF","Dimmer":40}"#, "off unknown ✓"),
            ]),
        RealPayload(
            "SetOption68 makes a light of each channel", config, device("2,2", options: #""4":0,"30":0,"68":1"#),
            ["A · light · on, off, toggle, level", "B · light · on, off, toggle, level"],
            [
                .take(1), .sends("level 40", "cmnd/box/Channel2 40"),
                .hears("stat/box/RESULT", #"{"POWER1":"ON","Channel1":40,"POWER2":"OFF","Channel2":9}"#, "off unknown"),
                .hears("stat/box/RESULT", #"{"POWER2":"ON","Channel2":40,"Color":"00,66"}"#, "40 % unknown ✓"),
            ]),
        RealPayload(
            "colour and white apart", config, device("2,2"),
            ["A · light · on, off, toggle, level", "B · light · on, off, toggle, level"],
            [
                .take(1), .sends("level 40", "cmnd/box/Dimmer2 40"),
                .hears(
                    "stat/box/RESULT", #"{"POWER1":"OFF","Dimmer1":80,"POWER2":"ON","Dimmer2":40}"#, "40 % unknown ✓"),
            ]),
        RealPayload(
            "a ceiling fan with its lamp", config, device("2", #""if":1,"lk":0,"sho":[]"#),
            ["A · switch · on, off, toggle", "Box · fan · on, off, level"],
            [
                .take(1), .sends("level 60", "cmnd/box/FanSpeed 2"),
                .hears("stat/box/RESULT", #"{"FanSpeed":2}"#, "67 % unknown ✓"), .sends("off", "cmnd/box/FanSpeed 0"),
                .hears("stat/box/RESULT", #"{"FanSpeed":0}"#, "off unknown ✓"),
                .hears("tele/box/STATE", #"{"POWER1":"ON","FanSpeed":3}"#, "100 % unknown"),
            ]),
        RealPayload(
            "a shutter on its way", config, device("3,3"), ["A · cover · on, off, position, stop"],
            [
                .sends("position 60", "cmnd/box/ShutterPosition1 60"),
                .hears(
                    "stat/box/RESULT", #"{"Shutter1":{"Position":10,"Direction":1,"Target":100,"Tilt":0}}"#,
                    "10 % unknown"),
                .hears(
                    "stat/box/RESULT", #"{"Shutter1":{"Position":10,"Direction":1,"Target":60,"Tilt":0}}"#,
                    "10 % unknown ✓"),
                .sends("off", "cmnd/box/ShutterClose1 "),
                .hears("tele/box/SENSOR", #"{"Shutter1":{"Position":40,"Direction":-1,"Target":0}}"#, "40 % unknown ✓"),
                .hears("stat/box/SHUTTER1", "0", "0 % unknown"),
            ]),
        RealPayload(
            "a shutter whose 0 is open", config, device("3,3", #""if":0,"lk":0,"sho":[1]"#),
            ["A · cover · on, off, position, stop"],
            [
                .sends("position 30", "cmnd/box/ShutterPosition1 70"),
                .hears("stat/box/RESULT", #"{"Shutter1":{"Position":70,"Direction":0,"Target":70}}"#, "30 % unknown ✓"),
                .hears("stat/box/SHUTTER1", "100", "0 % unknown"),
            ]),
    ]

    private static let cover =
        #"{"cover:0":{"id":0,"source":"init","state":"stopped","apower":0.0,"pos_control":true,"current_pos":10}}"#

    static let shelly: [RealPayload] = [
        RealPayload(
            "Plus 1: what changed is told at events/rpc", "boiler",
            #"{"ble":{},"input:0":{"id":0,"state":false},"switch:0":{"id":0,"source":"init","output":false},"wifi":{"rssi":-50}}"#,
            ["S · switch · on, off, toggle"],
            [
                .sends("on", #"boiler/rpc {"id":N,"src":"tars-h","method":"Switch.Set","params":{"id":0,"on":true}}"#),
                .hears(
                    "boiler/events/rpc",
                    #"{"src":"shelly-1","dst":"boiler/events","method":"NotifyStatus","params":{"ts":1733000000.11,"switch:0":{"id":0,"output":true,"source":"MQTT"}}}"#,
                    "on unknown ✓"),
                .hears(
                    "boiler/events/rpc",
                    #"{"src":"shelly-1","dst":"boiler/events","method":"NotifyEvent","params":{"events":[{"component":"input:0","event":"single_push"}]}}"#,
                    "on unknown"),
                .hears(
                    "boiler/events/rpc",
                    #"{"src":"shelly-1","dst":"boiler/events","method":"NotifyFullStatus","params":{"ts":1733000060.0,"switch:0":{"id":0,"output":false},"sys":{"uptime":3}}}"#,
                    "off unknown"),
                .hears("boiler/online", "true", "off online"),
            ]),
        RealPayload(
            "Pro 4PM: the relay of a number", "pro",
            #"{"switch:0":{"id":0,"output":false},"switch:1":{"id":1,"output":false}}"#,
            ["S · switch · on, off, toggle", "S 2 · switch · on, off, toggle"],
            [
                .take(1),
                .sends("off", #"pro/rpc {"id":N,"src":"tars-h","method":"Switch.Set","params":{"id":1,"on":false}}"#),
                .hears("pro/status/switch:0", #"{"id":0,"output":true}"#, "– unknown"),
                .hears(
                    "tars-h/rpc", #"{"id":N,"src":"shelly-1","dst":"tars-h","result":{"was_on":true}}"#, "– unknown ✓"),
            ]),
        RealPayload(
            "errors say why", "boiler", #"{"switch:0":{"id":0,"output":false}}"#, ["S · switch · on, off, toggle"],
            [
                .sends("toggle", #"boiler/rpc {"id":N,"src":"tars-h","method":"Switch.Toggle","params":{"id":0}}"#),
                .hears(
                    "tars-h/rpc",
                    #"{"id":N,"src":"shelly-1","dst":"tars-h","error":{"code":401,"message":"{\"auth_type\": \"digest\", \"nonce\": 1733000000}"}}"#,
                    "– unknown ✗ refused denied"),
                .sends("toggle", #"boiler/rpc {"id":N,"src":"tars-h","method":"Switch.Toggle","params":{"id":0}}"#),
                .hears(
                    "tars-h/rpc",
                    #"{"id":N,"src":"shelly-1","error":{"code":404,"message":"No handler for Switch.Toggle"}}"#,
                    "– unknown ✗ refused unsupported"),
            ]),
        RealPayload(
            "Plus 2PM: a cover on its way, whose answers are empty", "blind", cover,
            ["S · cover · on, off, position, stop"],
            [
                .sends(
                    "position 60",
                    #"blind/rpc {"id":N,"src":"tars-h","method":"Cover.GoToPosition","params":{"id":0,"pos":60}}"#),
                .hears("tars-h/rpc", #"{"id":N,"src":"shelly-1","dst":"tars-h","result":null}"#, "– unknown ✓"),
                .hears(
                    "blind/events/rpc",
                    #"{"src":"shelly-1","method":"NotifyStatus","params":{"ts":1.0,"cover:0":{"id":0,"state":"opening","target_pos":60,"current_pos":11}}}"#,
                    "11 % unknown"),
                .hears("blind/status/cover:0", #"{"id":0,"state":"stopped","current_pos":60}"#, "60 % unknown"),
                .sends("off", #"blind/rpc {"id":N,"src":"tars-h","method":"Cover.Close","params":{"id":0}}"#),
                .hears("blind/status/cover:0", #"{"id":0,"state":"closing","current_pos":59}"#, "59 % unknown ✓"),
            ]),
        RealPayload(
            "a cover that is not calibrated", "blind",
            #"{"cover:0":{"id":0,"state":"open","pos_control":false,"last_direction":null,"current_pos":null}}"#,
            ["S · cover · on, off, stop"],
            [
                .sends("position 3", "✗ \"S\" cannot `position 3`: it can on, off, stop"),
                .hears("blind/status/cover:0", #"{"id":0,"state":"closed","current_pos":null}"#, "off unknown"),
            ]),
        RealPayload(
            "Dimmer Gen3", "dim", #"{"light:0":{"id":0,"source":"init","output":false,"brightness":30}}"#,
            ["S · light · on, off, toggle, level"],
            [
                .sends(
                    "level 40",
                    #"dim/rpc {"id":N,"src":"tars-h","method":"Light.Set","params":{"id":0,"on":true,"brightness":40}}"#
                ),
                .hears("dim/status/light:0", #"{"id":0,"output":true,"brightness":40.00}"#, "40 % unknown ✓"),
            ]),
        RealPayload(
            "Plus RGBW PM: colours are lights, too", "strip",
            #"{"rgbw:0":{"id":0,"output":true,"rgb":[255,0,0],"brightness":50}}"#,
            ["S · light · on, off, toggle, level"],
            [
                .sends("on", #"strip/rpc {"id":N,"src":"tars-h","method":"RGBW.Set","params":{"id":0,"on":true}}"#),
                .hears("strip/status/rgbw:0", #"{"id":0,"output":true,"brightness":50}"#, "50 % unknown ✓"),
            ]),
        RealPayload(
            "a sensor of the third generation has nothing to act on", "ht",
            #"{"temperature:0":{"id":0,"tC":21.5},"humidity:0":{"id":0,"rh":40}}"#, []),
    ]
}
