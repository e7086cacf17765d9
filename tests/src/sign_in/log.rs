//! Reads Apache's log: who came to its virtual hosts, with which credentials.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// How Apache writes a line; tabs between, since no part holds one.
pub(super) const FORMAT: &str =
    r"%{User-Agent}i\t%>s\t%u\t%{local}p\t%k\t%{WWW-Authenticate}o\t%{CREDENTIAL}e\t%r";

/// Type 3 of NTLM's messages: the one with the proof.
const NTLM_PROOF: &[u8] = b"NTLMSSP\0\x03\0\0\0";
const NTLM: &[u8] = b"NTLMSSP\0";

/// A request at one of the virtual hosts.
#[derive(Clone, Debug)]
pub struct Visit {
    /// The program that made it.
    pub agent: String,
    /// What it was answered.
    pub status: u16,
    /// Who it proved to be.
    pub user: Option<String>,
    /// The port of the virtual host.
    pub port: u16,
    /// How many requests its connection had carried before.
    pub before_on_connection: u32,
    /// The challenge of the answer.
    pub challenge: String,
    /// Method and target.
    pub request: String,
    /// What was brought, as it stood in the header.
    pub(super) credential: String,
}

impl Visit {
    pub(super) fn read(line: &str) -> Option<Self> {
        let parts: Vec<&str> = line.splitn(8, '\t').collect();
        let &[
            agent,
            status,
            user,
            port,
            before,
            challenge,
            credential,
            request,
        ] = &parts[..]
        else {
            return None;
        };
        Some(Self {
            agent: agent.to_owned(),
            status: status.parse().ok()?,
            user: (user != "-").then(|| user.replace("\\\\", "\\")),
            port: port.parse().ok()?,
            before_on_connection: before.parse().ok()?,
            challenge: challenge.to_owned(),
            request: request.to_owned(),
            credential: credential.to_owned(),
        })
    }

    /// Whether what it carried names that person: Digest in the clear, NTLM in UTF-16.
    #[must_use]
    pub fn is_of(&self, name: &str) -> bool {
        let (_, rest) = self.credential.split_once(' ').unwrap_or_default();
        let token = STANDARD.decode(rest).unwrap_or_default();
        let wide: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
        rest.contains(&format!("username=\"{name}\""))
            || rest.contains(&format!("username=\\\"{name}\\\""))
            || token.windows(wide.len()).any(|window| window == wide)
    }

    /// Whether it carried something that only who knows the password could have made.
    #[must_use]
    pub fn tried_a_password(&self) -> bool {
        let (scheme, rest) = self
            .credential
            .split_once(' ')
            .unwrap_or((&self.credential, ""));
        match scheme {
            "Digest" | "Basic" => true,
            "NTLM" | "Negotiate" => {
                let token = STANDARD.decode(rest).unwrap_or_default();
                let holds = |what: &[u8]| token.windows(what.len()).any(|window| window == what);
                // A ticket proves the password as well; it was asked for elsewhere.
                holds(NTLM_PROOF) || (!token.is_empty() && !holds(NTLM))
            }
            _ => false,
        }
    }
}
