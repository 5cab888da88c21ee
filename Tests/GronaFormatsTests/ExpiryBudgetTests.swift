import GronaFormats
import Testing

@Suite struct ExpiryBudgetTests {
    @Test(
        "Operable from the second on at which people have 96 hours",
        arguments: [(351_300, true), (351_299, false)] as [(Int64, Bool)])
    func operable(_ point: Int64, _ isOperable: Bool) {
        // 1,800 + 300 + 3,600 + 345,600
        let budget = ExpiryBudget(renewalPoint: point, fetchPause: 3_600)
        #expect(budget.needed == 351_300)
        #expect(budget.isOperable == isOperable)
    }

    @Test("Asleep from the first run that fails until a device goes dark")
    func asleep() {
        let week: Int64 = 7 * 86_400
        let budget = ExpiryBudget(
            renewalPoint: week, fetchPause: 900, timerPeriod: 43_200, cacheAge: 60)
        #expect(budget.asleep == week - 43_200 - 60 - 900)
        #expect(ExpiryBudget(renewalPoint: 2_999, fetchPause: 900).asleep == 0)
        #expect(ExpiryBudget(renewalPoint: 3_001, fetchPause: 900).asleep == 1)
        #expect(ExpiryBudget(renewalPoint: .min, fetchPause: .max).asleep == 0)
        #expect(ExpiryBudget(renewalPoint: 0, fetchPause: .max).needed == .max)
        #expect(!ExpiryBudget(renewalPoint: 0, fetchPause: .max).isOperable)
    }
}
