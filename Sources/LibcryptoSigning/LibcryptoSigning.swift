// LibcryptoSigning
