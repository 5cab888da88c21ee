/// A date in a header, such as `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 5.6.7, IMF-fixdate).
package enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// In Unix time; nil for another form, also for the two that RFC 9110 calls obsolete.
    package static func parse(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count == 29, bytes[3...4].elementsEqual(", ".utf8),
            bytes[25...].elementsEqual(" GMT".utf8),
            [7, 11, 16].allSatisfy({ bytes[$0] == 0x20 }),
            [19, 22].allSatisfy({ bytes[$0] == 0x3A }),
            let day = number(bytes[5...6]), let year = number(bytes[12...15]),
            let hour = number(bytes[17...18]), let minute = number(bytes[20...21]),
            let second = number(bytes[23...24]),
            let month = months.firstIndex(where: { bytes[8...10].elementsEqual($0.utf8) }),
            (1...31).contains(day), year >= 1970, hour < 24, minute < 60, second <= 60
        else { return nil }
        return days(year, Int64(month) + 1, day) * 86_400 + hour * 3_600 + minute * 60 + second
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        var number: Int64 = 0
        for digit in digits {
            guard (0x30...0x39).contains(digit) else { return nil }
            number = number * 10 + Int64(digit - 0x30)
        }
        return number
    }

    /// Days since 1970-01-01 in the Gregorian calendar, by years that begin in March.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month > 2 ? year : year - 1
        let monthFromMarch = (month + 9) % 12
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }
}
