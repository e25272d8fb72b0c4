import PoolDecoding
import PoolModel

extension PoolConfiguration {
    /// Whether the hub has something to do at a server: devices to hear, alerts to tell, or an announcement to make.
    func needsConnection(to server: Server) -> Bool {
        if !devices(of: server.id).isEmpty || server.announcementPrefix != nil { return true }
        guard let mqtt = alerts.channels.mqtt else { return false }
        return mqtt.serverID == server.id
    }
}

extension Server {
    /// Where Home Assistant says that it has started; none if nothing is announced to it.
    var birthTopics: Set<String> {
        announcementPrefix.map { [HomeAssistantAnnouncement.birthTopic(prefix: $0)] } ?? []
    }
}
