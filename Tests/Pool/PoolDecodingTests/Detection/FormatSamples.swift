/// Messages of known devices and bridges, one sample for each format, according to their sources and documentation.
enum FormatSamples {
    struct Sample {
        var id: String
        var messages: [(topic: String, payload: String)]
    }

    static let all: [Sample] = [
        Sample(id: "S01", messages: [("pool/sensor/main", #"{"temperature":25.5,"pH":7.2,"chlorine":1.5,"orp":650}"#)]),
        Sample(
            id: "S02",
            messages: [
                (
                    "zigbee2mqtt/garden/Pool",
                    #"{"tds":512,"temperature":27.4,"battery":88,"ph":7.31,"ec":1024,"orp":702,"free_chlorine":1.3,"#
                        + #""salinity":540,"ph_max":78,"ph_min":72,"orp_max":750,"orp_min":650,"free_chlorine_max":30,"#
                        + #""free_chlorine_min":10,"ec_max":3000,"ec_min":0,"backlightvalue":0,"linkquality":96,"#
                        + #""last_seen":"2026-06-01T11:59:33+00:00"}"#
                ),
                ("zigbee2mqtt/garden/Pool/availability", #"{"state":"online"}"#),
            ]),
        Sample(
            id: "S03",
            messages: [
                (
                    "tele/pool/SENSOR",
                    #"{"Time":"2026-06-01T12:00:00+00:00","NeoPool":{"Time":"2026-06-01T12:00:00","Type":"Oxilife","#
                        + #""Temperature":23.5,"Powerunit":{"Version":"V3.45","5V":5.017,"12V":13.904},"pH":{"Data":7.2,"Min":7.0,"#
                        + #""Max":7.2,"State":0,"Pump":2,"FL1":0,"Tank":1},"Redox":{"Data":752,"Setpoint":750},"#
                        + #""Chlorine":{"Data":0.7,"Setpoint":1.0},"Conductivity":0,"Hydrolysis":{"Data":100,"Unit":"%","#
                        + #""Runtime":{"Total":"28T22:13:19","Changes":258},"State":"Pol1","FL1":0,"Redox":1},"#
                        + #""Filtration":{"State":1,"Speed":2,"Mode":1}},"TempUnit":"C"}"#
                ), ("tele/pool/LWT", "Online"),
            ]),
        Sample(
            id: "S04",
            messages: [
                ("pool-monitor/sensor/water_temperature/state", "26.4"), ("pool-monitor/sensor/ph/state", "7.23"),
                ("pool-monitor/sensor/orp/state", "688"), ("pool-monitor/status", "online"),
                ("pool-monitor/debug", "[I][sensor:094]: 'ph' 7.23"),
            ]),
        Sample(
            id: "S05",
            messages: [
                (
                    "PoolMaster_3532313237161307/Meas1",
                    #"{"Tmp":2718,"pH":721,"PSI":56,"Orp":683,"FilUpT":8995,"PhUpT":0,"ChlUpT":0}"#
                ),
                ("PoolMaster_3532313237161307/Meas2", #"{"AcidF":100,"ChlF":100,"IO":11,"IO2":0}"#),
                ("PoolMaster_3532313237161307/status", "online"),
            ]),
        Sample(
            id: "S06",
            messages: [
                ("blueriiot/pool_20d3be3a/ph/state", "7.4"),
                (
                    "blueriiot/pool_20d3be3a/ph/attributes",
                    #"{"min":6,"max":9,"okmin":7.2,"okmax":7.6,"warninglow":7,"warninghigh":7.8,"#
                        + #""timestamp":"2026-06-01T11:12:09Z","source":"probe","status":"ok"}"#
                ),
                ("blueriiot/pool_20d3be3a/orp/state", "690"), ("blueriiot/pool_20d3be3a/temperature/state", "26.1"),
                ("blueriiot/pool_20d3be3a/fcl/state", "1.2"), ("blueriiot/pool_20d3be3a/salinity/state", "3.2"),
                ("blueriiot/pool_20d3be3a/ph_status/state", "ok"),
                ("blueriiot/pool_20d3be3a/last_measurement/state", "2026-06-01T11:12:09.0000000Z"),
            ]),
        Sample(
            id: "S07",
            messages: [
                ("d02/23ASE2-06017/v/4.78", #"{"t":"4.78","v":74}"#),
                ("d02/23ASE2-06017/v/4.82", #"{"t":"4.82","v":750}"#),
                ("d02/23ASE2-06017/v/4.98", #"{"v":185}"#), ("d02/23ASE2-06017/v/4.100", #"{"v":60}"#),
                ("d02/23ASE2-06017/v/1", #"{"v":"17.2"}"#), ("d02/23ASE2-06017/v/10", #"{"v":["8.33","8.19"]}"#),
            ]),
        Sample(
            id: "S08",
            messages: [
                ("homie/pool-controller/$homie", "3.0.1"), ("homie/pool-controller/$state", "ready"),
                ("homie/pool-controller/pool-temp/$name", "Pool Temperature"),
                ("homie/pool-controller/pool-temp/temperature", "26.44"),
                ("homie/pool-controller/pool-temp/temperature/$unit", "°C"),
                ("homie/pool-controller/pool-temp/temperature/$datatype", "float"),
                ("homie/pool-controller/pool-temp/state", "OK"),
                ("homie/pool-controller/solar-temp/temperature", "41.06"),
                ("homie/pool-controller/solar-temp/temperature/$unit", "°C"),
                ("homie/pool-controller/solar-temp/temperature/$datatype", "float"),
            ]),
        Sample(
            id: "S09",
            messages: [
                ("pool/state/temps/waterSensor1", #"{"temp":81}"#),
                ("pool/state/temps/air", #"{"temp":77}"#),
                ("pool/state/temps/units", #"{"units":{"val":0,"name":"F","desc":"Fahrenheit"}}"#),
                ("pool/state/temps/bodies/1/pool/temp", #"{"temp":81}"#),
                ("pool/state/chemControllers/1/intellichem1/pHLevel", #"{"pHLevel":7.42}"#),
                ("pool/state/chemControllers/1/intellichem1/orpLevel", #"{"orpLevel":681}"#),
                ("pool/state/chemControllers/1/intellichem1/pHSetpoint", #"{"pHSetpoint":7.5}"#),
                ("pool/state/chemControllers/1/intellichem1/saturationIndex", #"{"saturationIndex":-0.12}"#),
                ("pool/state/chemControllers/1/intellichem1/alarms/flow", #"{"val":0,"name":"ok","desc":"Ok"}"#),
                ("pool/state/status", #"{"val":1,"name":"ready","desc":"Ready","percent":100}"#),
            ]),
        Sample(
            id: "S10",
            messages: [
                ("aqualinkd/Temperature/Pool", "31.67"), ("aqualinkd/Temperature/Air", "36.11"),
                ("aqualinkd/CHEM/pH", "7.40"), ("aqualinkd/CHEM/ORP", "680"), ("aqualinkd/SWG/PPM", "3200"),
                ("aqualinkd/Filter_Pump", "1"), ("aqualinkd/Alive", "1"),
            ]),
        Sample(
            id: "S11",
            messages: [
                (
                    "/esp32/sensor/ble-yc01",
                    #"{"time":1780315153,"name":"Pool","status":"data read successfully","bleAddress":"c0:00:00:03:a1:22","#
                        + #""sensorType":"BLE-YC01","type":1,"pH":7.21,"ec":1180,"salt":649,"tds":590,"orp":701,"cl":0.8,"#
                        + #""temp":24.6,"bat":2900,"bleRSSI":-71,"wifiRSSI":-60,"isStandby":false}"#
                )
            ]),
        Sample(
            id: "S12",
            messages: [
                (
                    "home/pool/manual",
                    #"{"time":1780315182,"name":"Pool H32","sensorType":"manual","temp":28.4,"pH":7.2,"cl":0.7}"#
                ), ("home/pool/pump", #"{"time":1780315000,"mainPump":true,"solarPump":false}"#),
            ]),
        Sample(
            id: "S13",
            messages: [
                (
                    "home/TheengsGateway/BTtoMQTT/494208001122",
                    #"{"name":"tps","id":"49:42:08:00:11:22","rssi":-73,"brand":"Inkbird","model":"T(H) Sensor","#
                        + #""model_id":"IBS-TH1/TH2/P01B/ITH-12S","type":"THB","cidc":false,"acts":true,"tempc":26.92,"#
                        + #""tempf":80.456,"extprobe":false,"batt":96}"#
                ), ("home/TheengsGateway/LWT", "online"),
            ]),
        Sample(
            id: "S14",
            messages: [
                ("shellies/shelly1-A4CF12/ext_temperature/0", "25.3"),
                ("shellies/shelly1-A4CF12/ext_temperature_f/0", "77.5"),
                ("shellies/shelly1-A4CF12/online", "true"),
            ]),
        Sample(
            id: "S14b",
            messages: [
                ("shellyplus1-pool/status/temperature:100", #"{"id":100,"tC":25.3,"tF":77.5}"#),
                ("shellyplus1-pool/online", "true"),
            ]),
        Sample(
            id: "S15",
            messages: [
                ("pool/water/ph", "7.20"), ("pool/water/temperature", "26.00"), ("pool/status", "Connected"),
            ]),
        Sample(
            id: "S16",
            messages: [
                (
                    "application/5a0e/device/0102030405060708/event/up",
                    #"{"deduplicationId":"3c0c","time":"2026-06-01T11:59:09.482+00:00","deviceInfo":{"deviceName":"pool-float","#
                        + #""devEui":"0102030405060708"},"fCnt":812,"fPort":2,"confirmed":false,"data":"AQIDBA==","#
                        + #""object":{"temperature":26.1,"ph":7.28,"orp":694,"battery":3.61},"rxInfo":[{"rssi":-97,"snr":7.5}]}"#
                )
            ]),
        Sample(
            id: "S17",
            messages: [
                (
                    "tuya/bf3c/dps",
                    #"{"temp_current":194,"ph_current":721,"tds_current":604,"ec_current":1208,"salinity_current":660,"#
                        + #""orp_current":216,"cf_current":142,"pro_current":999}"#
                )
            ]),
        Sample(
            id: "S18",
            messages: [
                (
                    "nodered/iopool",
                    #"[{"id":"test_pool_id_67890","title":"Test Pool","latestMeasure":{"temperature":25.5,"ph":7.2,"orp":750,"#
                        + #""mode":"gateway","isValid":true,"ecoId":"eco456","measuredAt":"2026-06-01T11:30:00Z"},"#
                        + #""mode":"STANDARD","hasAnActionRequired":false,"advice":{"filtrationDuration":8.5}}]"#
                )
            ]),
        Sample(
            id: "S19",
            messages: [
                ("homeassistant/sensor/pool_ph/state", "7.24"), ("homeassistant/sensor/pool_orp/state", "\"690\""),
                ("homeassistant/sensor/pool_water_temperature/state", "26.3"),
                ("homeassistant/sensor/pool_water_temperature/unit_of_measurement", "\"°C\""),
                ("homeassistant/sensor/pool_chlorine/state", "\"unavailable\""),
                ("homeassistant/sensor/pool_ph/last_updated", "\"2026-06-01T11:59:09.482311+00:00\""),
            ]),
    ]
}
