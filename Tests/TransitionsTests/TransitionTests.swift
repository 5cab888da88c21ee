import Testing

@testable import Transitions

@Suite("Transition")
struct TransitionTests {
    @Test("renew changes version and times", arguments: Step.renew)
    func checkRenew(_ step: Step) throws { try check(step) }

    @Test("kill also switches off", arguments: Step.kill)
    func checkKill(_ step: Step) throws { try check(step) }

    @Test("revive also switches on what is named", arguments: Step.revive)
    func checkRevive(_ step: Step) throws { try check(step) }

    @Test("bundle leaves offers out and keeps the version", arguments: Step.bundle)
    func checkBundle(_ step: Step) throws { try check(step) }

    @Test("restore brings old content back, but nothing that is off", arguments: Step.restore)
    func checkRestore(_ step: Step) throws { try check(step) }

    @Test("config may change anything but a silent switch", arguments: Step.config)
    func checkConfig(_ step: Step) throws { try check(step) }

    @Test("a violation names the campaign and the place in the new payload")
    func place() throws {
        let step = Transition.renew(of: try payload())
        let found = step.violations(in: try payload(version: "42", campaigns: offerOff))
        #expect(
            found == [
                TransitionViolation(
                    member: "enabled", pointer: "/campaigns/0/enabled",
                    campaign: "weekend-offer", reason: .switchedOff)
            ])
    }

    @Test("all violations are reported, not only the first")
    func all() throws {
        let step = Transition.renew(of: try payload())
        let new = try payload(
            expires: "1", ttl: 1, campaigns: [campaign("weekend-offer", enabled: "false")])
        #expect(
            step.violations(in: new).map(\.code) == [
                "transition.version", "transition.expires_at", "transition.ttl_seconds",
                "transition.campaigns", "transition.enabled", "transition.campaigns",
            ])
    }

    private func check(_ step: Step) throws {
        let (transition, new) = try step.make()
        #expect(transition.violations(in: new).map(\.code) == step.codes)
    }
}
