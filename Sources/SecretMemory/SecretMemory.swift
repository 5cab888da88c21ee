// SecretMemory
