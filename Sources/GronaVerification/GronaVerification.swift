// GronaVerification
