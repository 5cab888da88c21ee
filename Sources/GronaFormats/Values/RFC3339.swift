/// Why a text is no time.
package enum TimeError: Error, Sendable, Hashable {
    /// Neither Unix seconds nor `2026-10-29T09:00:00Z` with upper-case letters.
    case syntax
    /// A fraction of a second: times are whole seconds.
    case fraction
    /// Second 60: Unix seconds have no leap seconds.
    case leapSecond
    /// No `Z` and no `+02:00` at the end.
    case offsetMissing
    /// A month, day, hour, minute, second or offset that does not exist.
    case noSuchTime
    /// Before 2020-01-01 or after 2100-01-01.
    case outOfBounds(UnixTime)
}

// RFC 3339 5.6, without what the RFC leaves to the application: upper-case `T` and `Z` only, no
// blank in place of `T`, no fraction, no second 60. An offset is needed.
extension UnixTime {
    /// Reads RFC 3339 with an offset; any year from 0000 to 9999.
    package init(rfc3339 text: String) throws(TimeError) {
        var reader = TimeReader(bytes: Array(text.utf8))
        self.init(try reader.read())
    }

    /// Reads a time of a command line or a source: Unix seconds or RFC 3339, in 2020–2100.
    package init(text: String) throws(TimeError) {
        let isNumber = text.utf8.allSatisfy(ASCII.isDigit) && !text.isEmpty
        if isNumber {
            guard let seconds = ASCII.decimal(text.utf8) else { throw .syntax }
            self.init(seconds)
        } else {
            try self.init(rfc3339: text)
        }
        if !isWithinBounds { throw .outOfBounds(self) }
    }

    /// `2026-10-29T09:00:00Z`; nil outside the years 0000–9999.
    package var rfc3339: String? {
        let secondOfDay = seconds.quotientFloored(by: 86_400).remainder
        let day = seconds.quotientFloored(by: 86_400).quotient
        guard let date = CivilDate(dayNumber: day) else { return nil }
        let clock = [secondOfDay / 3600, secondOfDay / 60 % 60, secondOfDay % 60]
        return date.text + "T" + clock.map { Self.padded($0, 2) }.joined(separator: ":") + "Z"
    }

    fileprivate static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}

extension Int64 {
    fileprivate func quotientFloored(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

/// A date of the proleptic Gregorian calendar, years 0000–9999.
private struct CivilDate {
    var year: Int64
    var month: Int64
    var day: Int64

    var text: String {
        [UnixTime.padded(year, 4), UnixTime.padded(month, 2), UnixTime.padded(day, 2)]
            .joined(separator: "-")
    }

    static func length(ofMonth month: Int64, year: Int64) -> Int64 {
        let isLeap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
        return switch month {
        case 2: isLeap ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    init?(year: Int64, month: Int64, day: Int64) {
        guard (1...12).contains(month), day >= 1, day <= Self.length(ofMonth: month, year: year)
        else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// Days since 1970-01-01, counted in 400-year eras that begin in March, so that the leap day
    /// is the last of its year.
    var dayNumber: Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = shifted.quotientFloored(by: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    init?(dayNumber: Int64) {
        guard dayNumber >= -719_528, dayNumber <= 2_932_896 else { return nil }
        let (era, dayOfEra) = (dayNumber + 719_468).quotientFloored(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }
}

/// Reads one RFC 3339 text from its first byte to its last.
private struct TimeReader {
    let bytes: [UInt8]
    var position = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func number(_ width: Int) throws(TimeError) -> Int64 {
        guard position + width <= bytes.count else { throw .syntax }
        var value: Int64 = 0
        for byte in bytes[position..<position + width] {
            guard ASCII.isDigit(byte) else { throw .syntax }
            value = value * 10 + Int64(byte - 0x30)
        }
        position += width
        return value
    }

    /// - Parameter other: another form of it: RFC 3339 5.6 takes "T" and "Z" in lower case, too.
    mutating func skip(
        _ character: Unicode.Scalar, or other: Unicode.Scalar? = nil
    ) throws(TimeError) {
        guard position < bytes.count,
            [character, other ?? character].contains(Unicode.Scalar(bytes[position]))
        else { throw .syntax }
        position += 1
    }

    mutating func read() throws(TimeError) -> Int64 {
        let year = try number(4)
        try skip("-")
        let month = try number(2)
        try skip("-")
        let day = try number(2)
        try skip("T", or: "t")
        let hour = try number(2)
        try skip(":")
        let minute = try number(2)
        try skip(":")
        let second = try number(2)
        if position < bytes.count, bytes[position] == UInt8(ascii: ".") { throw .fraction }
        let offset = try offsetMinutes()
        guard position == bytes.count else { throw .syntax }
        if second == 60 { throw .leapSecond }
        guard let date = CivilDate(year: year, month: month, day: day), hour < 24, minute < 60,
            second < 60
        else { throw .noSuchTime }
        return date.dayNumber * 86_400 + hour * 3600 + (minute - offset) * 60 + second
    }

    private mutating func offsetMinutes() throws(TimeError) -> Int64 {
        guard position < bytes.count else { throw .offsetMissing }
        let sign: Int64
        switch bytes[position] {
        case UInt8(ascii: "Z"), UInt8(ascii: "z"):
            position += 1
            return 0
        case UInt8(ascii: "+"): sign = 1
        case UInt8(ascii: "-"): sign = -1
        default: throw .syntax
        }
        position += 1
        let hours = try number(2)
        try skip(":")
        let minutes = try number(2)
        guard hours < 24, minutes < 60 else { throw .noSuchTime }
        return sign * (hours * 60 + minutes)
    }
}
