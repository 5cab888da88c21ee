// GronaVerificationTests
