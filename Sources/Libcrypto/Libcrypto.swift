// Libcrypto
