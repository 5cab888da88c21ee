/// A problem inside the reader, before its line, column and pointer are known.
struct JSONFault: Error {
    let problem: JSONProblem
    let offset: Int
    /// It is about a member or element, not about the container in which that stands.
    private(set) var isInMember = true
    /// The nodes of two equal names.
    var names: (first: Int, second: Int)?

    init(_ problem: JSONProblem, _ offset: Int) {
        self.problem = problem
        self.offset = offset
    }

    /// The same about the container.
    var inContainer: JSONFault {
        var fault = self
        fault.isInMember = false
        return fault
    }
}
