import LinuxIO

/// The environment as a value, so that tests can give their own.
package struct EnvironmentValues: Sendable {
    private let lookUp: @Sendable (String) -> String?

    package init(_ lookUp: @escaping @Sendable (String) -> String?) {
        self.lookUp = lookUp
    }

    package init(_ values: [String: String]) {
        self.init { values[$0] }
    }

    /// The environment of this process.
    package static let process = EnvironmentValues { Environment.value($0) }

    /// The variable's value; nil also where it is set to nothing.
    package subscript(_ name: String) -> String? {
        guard let value = lookUp(name), !value.isEmpty else { return nil }
        return value
    }
}
