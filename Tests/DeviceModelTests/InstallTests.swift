import DeviceModel
import GronaFormats
import Testing

@Suite("What an install remembers and runs")
struct InstallTests {
    private static func campaign(
        _ id: String, _ kind: String, _ more: String = "", enabled: Bool = true
    ) -> String {
        #"{"id":"\#(id)","kind":"\#(kind)","enabled":\#(enabled),"unit":"customer","#
            + #""placements":["home"],"variants":[{"id":"A","weight":10000}]\#(more)}"#
    }

    private static let campaigns = [
        campaign("offer", "offer", #","treatment":{"type":"percent_off","value":10000}"#),
        campaign("basket", "banner", #","call_to_action":{"action":"add_to_basket"}"#),
        campaign("banner", "banner", #","call_to_action":{"action":"open"}"#),
        campaign("bar", "progress_bar"), campaign("message", "message"), campaign("host", "host"),
    ]

    private func draft(_ number: Int64, _ campaigns: [String] = campaigns) -> PayloadDraft {
        PayloadDraft().with("version", "\(number)")
            .with("campaigns", "[\(campaigns.joined(separator: ","))]")
    }

    private func stops(_ install: Install, at time: UnixTime = now) -> [String: StopReason?] {
        Dictionary(
            uniqueKeysWithValues: install.activity(at: time).map { ($0.id.text, $0.stop) })
    }

    @Test("a fresh install runs nothing")
    func fresh() {
        #expect(install().activity(at: now).isEmpty)
    }

    @Test("everything that is on runs; offers wait for a grant")
    func runs() {
        var install = install()
        #expect(install.receive(draft(1)).accepted)
        let activity = install.activity(at: now)
        #expect(activity.filter { !$0.runs }.isEmpty)
        #expect(activity.filter(\.needsGrant).map(\.id.text) == ["offer"])
    }

    @Test("superseded, only what moves no money and no basket goes on")
    func superseded() {
        var install = install()
        _ = install.receive(draft(1))
        _ = install.receive(draft(2).with("schema", "2"))
        let activity = install.activity(at: now)
        #expect(activity.filter(\.runs).map(\.id.text) == ["banner", "bar", "message"])
        #expect(
            activity.filter { $0.stop == .superseded }.map(\.id.text)
                == ["offer", "basket", "host"])
        _ = install.receive(draft(2))
        #expect(install.activity(at: now).filter { !$0.runs }.isEmpty)
    }

    @Test("past its end every campaign is off, with no fetch needed")
    func expired() {
        var install = install()
        _ = install.receive(draft(1))
        #expect(install.activity(at: UnixTime(1_795_856_399)).filter { !$0.runs }.isEmpty)
        #expect(
            install.activity(at: UnixTime(1_795_856_400)).filter { $0.stop != .expired }.isEmpty)
    }

    @Test("a campaign that is switched off, needs a newer SDK or has its own times stands still")
    func own() {
        var install = install()
        _ = install.receive(
            draft(
                1,
                [
                    Self.campaign("off", "message", enabled: false),
                    Self.campaign("same", "message", #","min_sdk":"1.4.0""#),
                    Self.campaign("newer", "message", #","min_sdk":"1.4.1""#),
                    Self.campaign(
                        "timed", "message", #","starts_at":1793265600,"ends_at":1793265700"#),
                ]))
        #expect(
            stops(install) == [
                "off": .disabled, "same": nil, "newer": .needsNewerSDK, "timed": nil,
            ])
        #expect(stops(install, at: UnixTime(1_793_265_599))["timed"] == .notStarted)
        #expect(stops(install, at: UnixTime(1_793_265_699))["timed"] == .some(nil))
        #expect(stops(install, at: UnixTime(1_793_265_700))["timed"] == .ended)
    }

    @Test(
        "offers render without a grant only when both demo switches are on",
        arguments: [(false, false), (false, true), (true, false), (true, true)])
    func demo(option: Bool, setting: Bool) {
        var install = install(isDemo: option)
        _ = install.receive(draft(1).with("settings", #"{"demo":\#(setting)}"#))
        let offer = install.activity(at: now).first { $0.kind == .offer }
        #expect(offer?.needsGrant == !(option && setting))
        #expect(install.isDemoActive == (option && setting))
    }

    @Test("the highest accepted version is remembered, and nothing below it is taken")
    func highest() {
        var install = install()
        _ = install.receive(draft(5))
        #expect(install.highestVersion == .accepted(version(5)))
        #expect(install.receive(draft(4)).code == .payloadRollback)
        #expect(install.running?.payload.version == version(5))
        #expect(install.receive(draft(5)).accepted)
        #expect(install.receive(draft(8)).accepted)
        #expect(install.highestVersion == .accepted(version(8)))
    }

    @Test("a rejected config leaves the last accepted one running")
    func keeps() {
        var install = install()
        _ = install.receive(draft(5))
        #expect(!install.receive(draft(6).with("ttl_seconds", "-1")).accepted)
        #expect(install.running?.payload.version == version(5))
        #expect(install.highestVersion == .accepted(version(5)))
    }

    @Test(
        "between a bundle and a remote copy the higher version wins, at equal version the remote",
        arguments: [
            (Channel.bundle, 5, Channel.remote, 5, Channel.remote, 5),
            (.remote, 5, .bundle, 5, .remote, 5),
            (.remote, 5, .bundle, 6, .bundle, 6),
            (.bundle, 5, .remote, 6, .remote, 6),
            (.bundle, 5, .bundle, 5, .bundle, 5),
        ] as [(Channel, Int64, Channel, Int64, Channel, Int64)])
    func channels(
        first: Channel, firstVersion: Int64, second: Channel, secondVersion: Int64,
        winner: Channel, winnerVersion: Int64
    ) {
        var install = install()
        #expect(install.receive(draft(firstVersion), first).accepted)
        #expect(install.receive(draft(secondVersion), second).accepted)
        #expect(install.running?.channel == winner)
        #expect(install.running?.payload.version == version(winnerVersion))
    }

    @Test(
        "at equal version a later copy of the same channel takes the place, a bundle not a remote's",
        arguments: [
            (Channel.bundle, Channel.bundle, true), (.remote, .remote, true),
            (.bundle, .remote, true), (.remote, .bundle, false),
        ])
    func equalVersions(first: Channel, second: Channel, isReplaced: Bool) {
        var install = install()
        _ = install.receive(draft(5), first)
        _ = install.receive(draft(5).with("ttl_seconds", "999"), second)
        #expect((install.running?.payload.ttlSeconds == 999) == isReplaced)
    }

    @Test("a bundle below what was accepted is rolled back like anything else")
    func oldBundle() {
        var install = install()
        _ = install.receive(draft(6), .remote)
        #expect(install.receive(draft(5), .bundle).code == .payloadRollback)
    }
}
