"""Computes audit.json: rows of an audit trail, their leaves, roots and proofs.

Shares no code with the server, so that the vectors are a second opinion. docs/AUDIT.md describes
what is computed. Run: python3 audit.py > audit.json
"""

import hashlib
import json
import struct


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def text(value):
    value = value.encode()
    return struct.pack(">I", len(value)) + value


def leaf(row):
    operation = row.get("OperationId")
    return b"".join([
        b"\x01",
        struct.pack(">QQQq", row["Sequence"], row["ListPrevious"], row["Revision"], row["At"]),
        *(text(row[name]) for name in ["Tenant", "ObjectType", "ObjectId", "Purpose", "Event"]),
        b"" if operation is None else text(operation),
        commitment(row["Actor"]),
        commitment(row["Words"]),
    ])


def commitment(value):
    return sha256(bytes.fromhex(value["Salt"]), value["Value"].encode())


def root(leaves):
    if len(leaves) < 2:
        return leaves[0] if leaves else sha256()
    middle = split(len(leaves))
    return sha256(b"\x01", root(leaves[:middle]), root(leaves[middle:]))


def split(count):
    return 1 << ((count - 1).bit_length() - 1)


def inclusion(index, leaves):
    if len(leaves) == 1:
        return []
    middle = split(len(leaves))
    if index < middle:
        return inclusion(index, leaves[:middle]) + [root(leaves[middle:])]
    return inclusion(index - middle, leaves[middle:]) + [root(leaves[:middle])]


def consistency(old, leaves, is_whole=True):
    if old == len(leaves):
        return [] if is_whole else [root(leaves)]
    middle = split(len(leaves))
    if old <= middle:
        return consistency(old, leaves[:middle], is_whole) + [root(leaves[middle:])]
    return consistency(old - middle, leaves[middle:], False) + [root(leaves[:middle])]


def rows():
    anna = '{"Id":"anna","Kind":"Person","Name":"Änna"}'
    lists = [("incident", "INC-1", ""), ("incident", "INC-1", "handover"), ("", "", "")]
    previous = {}
    for sequence in range(1, 8):
        object_type, object_id, purpose = lists[sequence % 3]
        is_act = object_type == ""
        yield {
            "Tenant": "acme",
            "Sequence": sequence,
            "ListPrevious": 0 if is_act else previous.get(purpose, 0),
            "ObjectType": object_type,
            "ObjectId": object_id,
            "Purpose": purpose,
            "Revision": 0 if is_act else sequence,
            "OperationId": None if is_act or sequence == 4 else "" if sequence == 1 else f"op-{sequence}",
            "At": -1 if sequence == 1 else 1_700_000_000_000 + sequence,
            "Event": '{"Action":"Created","Subject":"ApiKey"}' if is_act else '{"What":"Checked"}',
            "Actor": {"Salt": f"{sequence:032x}", "Value": anna},
            "Words": {"Salt": f"{sequence:031x}f", "Value": "{}" if is_act else '{"Text":"Prüfen ✓"}'},
        }
        if not is_act:
            previous[purpose] = sequence


def main():
    vectors = [{**row, "Leaf": leaf(row).hex(), "LeafHash": sha256(b"\x00", leaf(row)).hex()} for row in rows()]
    leaves = [bytes.fromhex(row["LeafHash"]) for row in vectors]
    sizes = range(len(leaves) + 1)
    hexes = lambda hashes: [value.hex() for value in hashes]
    document = {
        "About": "Rows of an audit trail, as docs/AUDIT.md describes them. Bytes are hexadecimal.",
        "Rows": vectors,
        "Roots": hexes(root(leaves[:size]) for size in sizes),
        "Inclusion": [
            {"Index": index, "Size": size, "Hashes": hexes(inclusion(index, leaves[:size]))}
            for size in sizes for index in range(size)
        ],
        "Consistency": [
            {"Old": old, "Size": size, "Hashes": hexes(consistency(old, leaves[:size]))}
            for size in sizes for old in range(1, size + 1)
        ],
    }
    print(json.dumps(document, ensure_ascii=False, indent=1))


main()
