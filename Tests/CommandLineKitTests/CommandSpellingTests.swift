import Testing

@testable import CommandLineKit

@Suite struct CommandSpellingTests {
    private let spelling = CommandSpelling(
        program: "grona-publish", typed: "sudo publish", except: ["push"])

    @Test(
        "A command is named as it is typed here",
        arguments: [
            ("grona-publish refresh shop", "sudo publish refresh shop"),
            (
                "'grona-publish kill a', then 'grona-publish status'",
                "'sudo publish kill a', then 'sudo publish status'"
            ),
            ("grona-publish next-version shop", "sudo publish next-version shop"),
            // What cannot be called so keeps the program's own name.
            ("'grona-publish push FILE'", "'grona-publish push FILE'"),
            ("'grona-publish push - <FILE'", "'sudo publish push - <FILE'"),
            // Another word, the name alone, or a path.
            ("my-grona-publish refresh", "my-grona-publish refresh"),
            ("/usr/bin/grona-publish refresh", "/usr/bin/grona-publish refresh"),
            ("grona-publish", "grona-publish"), ("grona-publish ", "grona-publish "),
            ("grona-publish: refresh", "grona-publish: refresh"), ("", ""),
        ])
    func names(_ text: String, _ expected: String) {
        #expect(spelling.applied(to: text) == expected)
    }
}
