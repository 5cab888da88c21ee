// GronaCommandTests
