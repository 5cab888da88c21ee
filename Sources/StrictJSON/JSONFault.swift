/// A problem inside the reader, before its line, column and pointer are known.
struct JSONFault: Error {
    var problem: JSONProblem
    var offset: Int
    /// It is about a member or element, not about the container in which that stands.
    private(set) var isInMember = true

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
