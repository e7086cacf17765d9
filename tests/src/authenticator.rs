//! An authenticator in software: makes a passkey and signs with it, as JSON that a browser would
//! send.
//!
//! Whatever a real one would never do can be done with it: another origin, a counter that goes back.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use p256::ecdsa::signature::Signer as _;
use p256::ecdsa::{Signature, SigningKey};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

/// The person is there, and the authenticator has verified them.
const VERIFIED: u8 = 0b0000_0101;
/// A new credential follows.
const WITH_CREDENTIAL: u8 = 0b0100_0000;

/// A passkey with everything that makes it.
#[derive(Clone)]
pub struct Passkey {
    key: SigningKey,
    id: Vec<u8>,
    handle: String,
    server: String,
    /// How often it has signed.
    pub counter: u32,
}

fn encoded(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// What the page signs beside the authenticator.
fn client_data(kind: &str, options: &Value, origin: &str) -> String {
    json!({ "type": kind, "challenge": options["challenge"], "origin": origin, "crossOrigin": false })
        .to_string()
}

impl Passkey {
    /// Makes a passkey for the options of the server, on a page of that origin. `seed` makes it
    /// another one.
    ///
    /// # Panics
    /// When the options are none.
    #[must_use]
    #[track_caller]
    pub fn create(options: &Value, origin: &str, seed: &str) -> (Self, Value) {
        let secret = Sha256::digest(seed);
        let passkey = Self {
            key: SigningKey::from_slice(&secret).expect("a number below the order"),
            id: Sha256::digest(secret).to_vec(),
            handle: options["user"]["id"].as_str().expect("a user").to_owned(),
            server: options["rp"]["id"].as_str().expect("a server").to_owned(),
            counter: 1,
        };
        let mut data = passkey.data(VERIFIED | WITH_CREDENTIAL);
        data.extend([0; 16]);
        data.extend([0, 32]);
        data.extend(&passkey.id);
        data.extend(passkey.public_key());
        // {"fmt": "none", "attStmt": {}, "authData": bytes}
        let mut attestation = b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58".to_vec();
        attestation.push(u8::try_from(data.len()).expect("a short text"));
        attestation.extend(data);
        let client = client_data("webauthn.create", options, origin);
        let answer = json!({
            "id": encoded(&passkey.id),
            "rawId": encoded(&passkey.id),
            "type": "public-key",
            "authenticatorAttachment": "platform",
            "clientExtensionResults": {},
            "response": {
                "clientDataJSON": encoded(client.as_bytes()),
                "attestationObject": encoded(&attestation),
                "transports": ["internal"],
            },
        });
        (passkey, answer)
    }

    /// Signs for the options of the server, on a page of that origin. The counter goes on by one.
    #[must_use]
    pub fn sign(&mut self, options: &Value, origin: &str) -> Value {
        self.counter += 1;
        let data = self.data(VERIFIED);
        let client = client_data("webauthn.get", options, origin);
        let mut signed = data.clone();
        signed.extend(Sha256::digest(&client));
        let signature: Signature = self.key.sign(&signed);
        json!({
            "id": encoded(&self.id),
            "rawId": encoded(&self.id),
            "type": "public-key",
            "authenticatorAttachment": "platform",
            "clientExtensionResults": {},
            "response": {
                "clientDataJSON": encoded(client.as_bytes()),
                "authenticatorData": encoded(&data),
                "signature": encoded(signature.to_der().as_bytes()),
                "userHandle": self.handle,
            },
        })
    }

    /// The beginning of the authenticator's data.
    fn data(&self, flags: u8) -> Vec<u8> {
        let mut data = Sha256::digest(&self.server).to_vec();
        data.push(flags);
        data.extend(self.counter.to_be_bytes());
        data
    }

    /// The public key as COSE writes it: {1: 2, 3: -7, -1: 1, -2: x, -3: y}.
    fn public_key(&self) -> Vec<u8> {
        let point = self.key.verifying_key().to_encoded_point(false);
        let mut key = b"\xa5\x01\x02\x03\x26\x20\x01\x21\x58\x20".to_vec();
        key.extend(point.x().expect("a point"));
        key.extend(b"\x22\x58\x20");
        key.extend(point.y().expect("a point"));
        key
    }
}
