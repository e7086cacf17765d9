# Python 3 and OpenSSL 3, nothing to install: python3 mint.py PRIVATE_KEY.pem
import base64, json, subprocess, sys, tempfile, time, uuid


def part(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=")


def mint(subject, name, contexts, perm):
    now = int(time.time())
    header = {"alg": "EdDSA", "typ": "JWT", "kid": "{KID}"}
    claims = {
        "iss": "{TENANT}", "aud": "{BASE_URL}", "tenant": "{TENANT}",
        "sub": subject, "name": name, "contexts": contexts, "perm": perm,
        "iat": now, "exp": now + 600, "jti": str(uuid.uuid4()),
    }
    signed = b".".join(part(json.dumps(one).encode()) for one in (header, claims))
    with tempfile.NamedTemporaryFile() as message:
        message.write(signed)
        message.flush()
        command = ["openssl", "pkeyutl", "-sign", "-rawin", "-inkey", sys.argv[1], "-in", message.name]
        signature = subprocess.run(command, capture_output=True, check=True).stdout
    return (signed + b"." + part(signature)).decode()


incident = [{"ObjectType": "incident", "ObjectId": "INC-1", "Purpose": "*"}]
print(mint("u-1", "Anna", incident, ["Read", "Check", "Add", "Edit", "Delete"]))
