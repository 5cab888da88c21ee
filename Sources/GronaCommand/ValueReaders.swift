package import CommandLineKit
package import GronaFormats

extension ValueReader where Value == WorkspaceName {
    package static func workspace(_ name: String = "W") -> ValueReader<WorkspaceName> {
        parsing(
            name, expected: "a workspace: a-z, 0-9 and dashes, at most 63 characters"
        ) { WorkspaceName($0) }
    }
}

extension ValueReader where Value == KeyID {
    package static func kid(_ name: String = "KID") -> ValueReader<KeyID> {
        parsing(
            name, expected: "a key id: 1 to 128 letters, digits, dots, dashes, underscores, colons"
        ) { KeyID($0) }
    }
}

extension ValueReader where Value == Identifier {
    package static func identifier(_ name: String = "ID") -> ValueReader<Identifier> {
        parsing(
            name, expected: "an id: 1 to 128 letters, digits, dots, dashes, underscores, colons"
        ) { Identifier($0) }
    }
}

extension ValueReader where Value == ConfigVersion {
    package static func version(_ name: String = "N") -> ValueReader<ConfigVersion> {
        parsing(
            name, expected: "a version: a whole number from 1 to \(ConfigVersion.last)"
        ) { ConfigVersion(decimal: $0) }
    }
}

extension ValueReader where Value == SDKVersion {
    package static func sdkVersion(_ name: String = "V") -> ValueReader<SDKVersion> {
        parsing(name, expected: "an SDK version such as 1.4.0") { SDKVersion($0) }
    }
}

extension ValueReader where Value == DurationSeconds {
    package static func duration(_ name: String = "D") -> ValueReader<DurationSeconds> {
        parsing(name, expected: "a duration: seconds, or 90s, 15m, 12h, 30d") {
            try? DurationSeconds(parsing: $0)
        }
    }

    /// How long to wait: nothing answers in no time.
    package static func wait(_ name: String = "D") -> ValueReader<DurationSeconds> {
        parsing(name, expected: "a duration from 1 s on: seconds, or 90s, 15m, 12h") {
            guard let time = try? DurationSeconds(parsing: $0), time.seconds > 0 else { return nil }
            return time
        }
    }
}

extension ValueReader where Value == UnixTime {
    package static func time(_ name: String = "T") -> ValueReader<UnixTime> {
        parsing(
            name,
            expected: "a time: Unix seconds, or RFC 3339 with an offset, from 2020 to 2100 (+3d is"
                + " for --at alone)"
        ) { try? UnixTime(text: $0) }
    }
}
