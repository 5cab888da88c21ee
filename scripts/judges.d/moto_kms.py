"""A key management service on loopback: moto, made to sign a digest as it is.

moto 5.2.5 hashes the message of a Sign request again where MessageType is DIGEST. While the file of
the second argument is there, that is put right; without it moto is left as it is. Called as
`python moto_kms.py PORT SWITCH`.
"""

import pathlib
import sys
import threading

import moto.kms.responses
import moto.kms.utils
import moto.server
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils


def main():
    port, switch = sys.argv[1], pathlib.Path(sys.argv[2])
    asked = threading.local()
    respond = moto.kms.responses.KmsResponse.sign
    sign = moto.kms.utils.ECDSAPrivateKey.sign

    def sign_request(self):
        asked.is_digest = self._get_param("MessageType") == "DIGEST"
        return respond(self)

    def sign_message(self, message, signing_algorithm):
        if not (asked.is_digest and switch.exists()):
            return sign(self, message, signing_algorithm)
        return self.private_key.sign(message, ec.ECDSA(utils.Prehashed(hashes.SHA256())))

    moto.kms.responses.KmsResponse.sign = sign_request
    moto.kms.utils.ECDSAPrivateKey.sign = sign_message
    moto.server.main(["-H", "127.0.0.1", "-p", port])


main()
