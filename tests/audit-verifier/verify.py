"""Checks a server's audit trail with implementations that are not the server's.

Reads {"Key", "Checkpoint", "Proofs"} from stdin: what `audit key` prints, and what the calls answered.
Signatures are checked by `cryptography`, proofs by `scitt-cose`.
"""

import base64
import hashlib
import json
import sys

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from scitt_cose.merkle import verify_consistency, verify_inclusion


def opened(note, key):
    """The size and the root of a signed note; raises unless the key has signed it."""
    name, _, public = key.split("+", 2)
    public = base64.b64decode(public)
    text, signatures = note.rsplit("\n\n", 1)
    text += "\n"
    key_id = hashlib.sha256(name.encode() + b"\n" + public).digest()[:4]
    dash, signer, signature = signatures.strip().split(" ")
    signature = base64.b64decode(signature)
    assert (dash, signer, signature[:4]) == ("—", name, key_id), "signed by somebody else"
    Ed25519PublicKey.from_public_bytes(public[1:]).verify(signature[4:], text.encode())
    origin, size, root = text.splitlines()
    assert origin == name
    return int(size), base64.b64decode(root).hex()


def holds(proof, root):
    if "From" in proof:
        return proof["Root"] == root and verify_consistency(
            proof["FromRoot"], root, proof["From"], proof["Size"], proof["Hashes"]
        )
    leaf = proof["Leaf"]
    # Actor and words are the last 64 bytes; what was erased has only its commitment left.
    parts = {"Actor": leaf["Bytes"][-128:-64], "Words": leaf["Bytes"][-64:]}
    openings = {name: leaf[name] for name in parts if leaf.get(name)}
    opened = all(
        hashlib.sha256(bytes.fromhex(one["Salt"]) + one["Value"].encode()).hexdigest() == parts[name]
        for name, one in openings.items()
    )
    return opened and verify_inclusion(leaf["Bytes"], proof["Sequence"] - 1, proof["Size"], proof["Hashes"], root)


def main():
    told = json.load(sys.stdin)
    size, root = opened(told["Checkpoint"], told["Key"])
    for proof in told["Proofs"]:
        assert proof["Size"] == size, "a proof of another tree"
        assert holds(proof, root), proof
        forged = json.loads(json.dumps(proof))
        if forged["Hashes"]:
            forged["Hashes"][0] = "00" * 32
            assert not holds(forged, root), "a forged proof holds"
    erased = sum("Leaf" in proof and not proof["Leaf"].get("Actor") for proof in told["Proofs"])
    print(f"{len(told['Proofs'])} proofs hold for {size} rows, {erased} of them without a name")


main()
