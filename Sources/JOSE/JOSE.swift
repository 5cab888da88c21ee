// JOSE
