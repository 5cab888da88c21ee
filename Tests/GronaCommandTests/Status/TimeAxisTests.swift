import GronaFormats
import GronaPublishCommand
import Testing

/// Time from left to right, in per cents and in characters.
@Suite struct TimeAxisTests {
    private let now = StatusSamples.now

    @Test func `What is served and now are seen whole, with a margin`() {
        let life = StatusSamples.life(from: -1_000_000, to: 1_500_000)
        let axis = TimeAxis(showing: [life.issuedAt, life.expiresAt], now: now)
        #expect(axis.from < life.issuedAt && life.expiresAt < axis.to)
        #expect(axis.position(of: axis.from) == 0)
        #expect(axis.position(of: axis.to) == TimeAxis.length)
        #expect(axis.position(of: UnixTime(.min)) == 0)
        #expect(axis.position(of: UnixTime(.max)) == TimeAxis.length)
        let places = [life.issuedAt, now, life.dueAt, life.quarterAt, life.expiresAt]
            .map(axis.position(of:))
        #expect(places == places.sorted())
        #expect(Set(places).count == places.count)
    }

    @Test(
        "A bundle of long ago does not squeeze what is served",
        arguments: [Int64.min, -4_000_000_000, 4_000_000_000, .max])
    func farBundles(_ far: Int64) {
        let life = StatusSamples.life(from: -500_000, to: 500_000)
        let axis = TimeAxis(
            showing: [life.issuedAt, life.expiresAt], and: [UnixTime(far)], now: now)
        #expect(axis.to.since(axis.from).seconds < 2_500_000)
    }

    @Test(
        "A few round ticks, whatever the length",
        arguments: [0, 3_600, 86_400, 30 * 86_400, 400 * 86_400, 2_000_000_000] as [Int64])
    func ticks(_ length: Int64) {
        let axis = TimeAxis(showing: [UnixTime(now.seconds - length)], now: now)
        #expect(axis.ticks.count <= 8)
        #expect(axis.ticks.allSatisfy { axis.shows($0) && $0.seconds % axis.step == 0 })
    }

    private func text(_ bar: TimeBar) -> String {
        String(
            bar.marks.map { mark in
                switch mark {
                case .empty: "."
                case .now: "|"
                case .part(.fresh): "f"
                case .part(.due): "d"
                case .part(.expiring), .part(.expired): "q"
                }
            })
    }

    @Test(
        "A bar has a character for each stretch, and now on top",
        arguments: [
            (-50, 50, 24, "ffffffffffff|ddddqqqqqq."), (1, 101, 24, "|fffffffffffdddddqqqqqq."),
            (-101, -1, 24, "fffffffffffddddddqqqqq.|"), (-50, 50, 1, "|"), (-50, 50, 0, ""),
        ] as [(Int64, Int64, Int, String)])
    func bars(_ from: Int64, _ to: Int64, _ columns: Int, _ expected: String) {
        let life = StatusSamples.life(from: from * 86_400, to: to * 86_400)
        let axis = TimeAxis(showing: [life.issuedAt, life.expiresAt], now: now)
        #expect(text(TimeBar(life.parts, on: axis, now: now, columns: columns)) == expected)
    }
}
