import GronaFormats

/// Times as people read them.
enum TimeWording {
    static func text(_ seconds: Int64) -> String { text(UnixTime(seconds)) }
    static func text(_ time: UnixTime) -> String { time.rfc3339 ?? String(time.seconds) }
}
