/// How long everyone may be asleep before the first device goes dark, as arithmetic.
///
/// A config that nobody signs again ends on every device at its `expires_at`
/// (signed-configuration: Freeze protection): "A 304 does not extend `expires_at`". Between the
/// point at which it is due and that end lie the pause of the timer, the age of a copy in a cache,
/// and the pause of a device. All in seconds.
package struct ExpiryBudget: Sendable, Hashable {
    /// The period of the timer that renews, where nobody says otherwise: half an hour.
    package static let timerPeriod: Int64 = 1_800
    /// The longest that an edge may keep a copy.
    package static let cacheAge: Int64 = 300
    /// What people get to notice and repair: 96 hours.
    package static let repairTime: Int64 = 345_600

    /// Remaining life at which the config is signed again.
    package var renewalPoint: Int64
    package var timerPeriod: Int64
    package var cacheAge: Int64
    /// After how long a device asks again, at the latest.
    package var fetchPause: Int64

    package init(
        renewalPoint: Int64, fetchPause: Int64, timerPeriod: Int64 = Self.timerPeriod,
        cacheAge: Int64 = Self.cacheAge
    ) {
        self.renewalPoint = renewalPoint
        self.timerPeriod = timerPeriod
        self.cacheAge = cacheAge
        self.fetchPause = fetchPause
    }

    /// The renewal point that leaves people time to notice and repair.
    package var needed: Int64 {
        [timerPeriod, cacheAge, fetchPause, Self.repairTime].reduce(0) { sum, part in
            let (total, overflowed) = sum.addingReportingOverflow(part)
            return overflowed ? .max : total
        }
    }

    /// The time asleep that leaves people time to notice and repair; what `asleep` is held against.
    package var asleepNeeded: Int64 { Self.repairTime }

    package var isOperable: Bool { renewalPoint >= needed }

    /// From the first run that fails until a device goes dark; never below zero.
    package var asleep: Int64 {
        let parts = [timerPeriod, cacheAge, fetchPause]
        return max(
            0,
            parts.reduce(renewalPoint) { left, part in
                let (rest, overflowed) = left.subtractingReportingOverflow(part)
                return overflowed ? .min : rest
            })
    }
}
