package import GronaFormats

/// Lengths of time as people say them; the one form of both programs.
package enum DurationWording {
    /// The two largest units: `12d 4h`, `4d 50m`, `3h 20m`, `45s`, and no seconds beside days; with a
    /// minus where it is over.
    package static func short(_ duration: DurationSeconds) -> String {
        var rest = duration.seconds.magnitude
        let smallest: UInt64 = rest < 86_400 ? 1 : 60
        var parts: [String] = []
        for (size, letter) in [(86_400, "d"), (3_600, "h"), (60, "m"), (1, "s")]
            as [(UInt64, String)]
        where parts.count < 2 && size >= smallest
            && (rest >= size || (size == 1 && parts.isEmpty))
        {
            parts.append("\(rest / size)\(letter)")
            rest %= size
        }
        return (duration.seconds < 0 ? "-" : "") + parts.joined(separator: " ")
    }

    package static func short(_ seconds: Int64) -> String { short(DurationSeconds(seconds)) }
}
