//! Waits until the server answers and prints the URLs to open. It runs as a separate process,
//! because `serve` has become the server, and ends no later than the server.
//! `serve` starts it as a hidden command of this program.

use std::io::{Read as _, Write as _};
use std::net::{IpAddr, SocketAddr, TcpStream, ToSocketAddrs as _};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use super::arguments::{DEFAULT_LISTEN, value_of};

const PATIENCE: Duration = Duration::from_secs(60);
const BETWEEN_TRIES: Duration = Duration::from_millis(100);
const FOR_ONE_TRY: Duration = Duration::from_secs(2);

/// Waits for a server and prints its addresses.
#[derive(clap::Args)]
pub struct Options {
    /// Host and port the server listens on.
    listen: String,
    /// The address it is reached under, when that differs.
    base_url: Option<String>,
}

/// The server's address.
#[derive(Debug, PartialEq)]
pub struct Address {
    listen: String,
    base_url: Option<String>,
}

impl Address {
    /// Reads it from the server's arguments.
    pub fn of(arguments: &[String]) -> Self {
        Self {
            listen: value_of(arguments, "--listen")
                .unwrap_or(DEFAULT_LISTEN)
                .to_owned(),
            base_url: value_of(arguments, "--base-url").map(str::to_owned),
        }
    }

    /// The arguments of `announce` for this address.
    pub fn to_arguments(&self) -> Vec<&str> {
        let mut arguments = vec![self.listen.as_str()];
        arguments.extend(self.base_url.as_deref());
        arguments
    }

    /// Whether somebody listens there already.
    pub fn is_taken(&self) -> bool {
        self.socket()
            .is_some_and(|socket| TcpStream::connect_timeout(&socket, FOR_ONE_TRY).is_ok())
    }

    /// Where to connect: a server that listens on every interface is reached on this machine.
    fn socket(&self) -> Option<SocketAddr> {
        let mut socket = self.listen.to_socket_addrs().ok()?.next()?;
        if socket.ip().is_unspecified() {
            let local: IpAddr = match socket.ip() {
                IpAddr::V4(_) => std::net::Ipv4Addr::LOCALHOST.into(),
                IpAddr::V6(_) => std::net::Ipv6Addr::LOCALHOST.into(),
            };
            socket.set_ip(local);
        }
        Some(socket)
    }

    /// The path that all routes live under, without a slash at its end.
    fn path(&self) -> &str {
        let Some(url) = &self.base_url else {
            return "";
        };
        let after_scheme = url.split_once("://").map_or(url.as_str(), |(_, rest)| rest);
        after_scheme
            .find('/')
            .map_or("", |at| after_scheme[at..].trim_end_matches('/'))
    }

    fn answers(&self) -> bool {
        // Behind a proxy that strips the path, the server may answer without it.
        let own_path = format!("{}/healthz", self.path());
        self.answers_at(&own_path) || (!self.path().is_empty() && self.answers_at("/healthz"))
    }

    fn answers_at(&self, path: &str) -> bool {
        let Some(socket) = self.socket() else {
            return false;
        };
        let ask = || -> std::io::Result<bool> {
            let mut stream = TcpStream::connect_timeout(&socket, FOR_ONE_TRY)?;
            stream.set_read_timeout(Some(FOR_ONE_TRY))?;
            let request =
                format!("GET {path} HTTP/1.1\r\nHost: {socket}\r\nConnection: close\r\n\r\n");
            stream.write_all(request.as_bytes())?;
            let mut status = [0; 12];
            stream.read_exact(&mut status)?;
            Ok(status.ends_with(b" 200"))
        };
        ask().unwrap_or(false)
    }

    fn to_open(&self) -> String {
        let base = self.base_url.as_deref().map_or_else(
            || {
                let host = self
                    .socket()
                    .map_or_else(|| self.listen.clone(), |socket| socket.to_string());
                format!("http://{host}")
            },
            |url| url.trim_end_matches('/').to_owned(),
        );
        format!(
            "\n   Demo page       {base}/demo/\n   Administration  {base}/admin/\n   API docs        {base}/docs/\n"
        )
    }
}

/// Runs the command. It fails when no answer comes in a minute or the server ends before.
pub fn run(options: &Options) -> ExitCode {
    let address = Address {
        listen: options.listen.clone(),
        base_url: options.base_url.clone(),
    };
    let server = parent();
    let start = Instant::now();
    while start.elapsed() < PATIENCE && parent() == server {
        if address.answers() {
            println!("{}", address.to_open());
            return ExitCode::SUCCESS;
        }
        std::thread::sleep(BETWEEN_TRIES);
    }
    ExitCode::FAILURE
}

/// The process that started this one; it changes when that one ends.
#[cfg(unix)]
fn parent() -> u32 {
    std::os::unix::process::parent_id()
}

#[cfg(not(unix))]
fn parent() -> u32 {
    0
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    fn address(listen: &str, base_url: Option<&str>) -> Address {
        Address {
            listen: listen.to_owned(),
            base_url: base_url.map(str::to_owned),
        }
    }

    #[test]
    fn the_addresses_follow_what_the_server_was_told() {
        let told = ["serve", "--listen", "0.0.0.0:9000"].map(str::to_owned);
        assert!(
            Address::of(&told)
                .to_open()
                .contains("http://127.0.0.1:9000/demo/")
        );
        let behind = address("127.0.0.1:1", Some("https://host/platform/"));
        assert_eq!(behind.path(), "/platform");
        assert!(behind.to_open().contains("https://host/platform/docs/"));
        assert_eq!(address("a:1", Some("https://host")).path(), "");
    }

    #[test]
    fn only_a_200_counts_as_an_answer() {
        for (status, expected) in [("200 OK", true), ("503 Service Unavailable", false)] {
            let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
            let listen = listener.local_addr().expect("its address").to_string();
            let server = std::thread::spawn(move || {
                let (mut stream, _) = listener.accept().expect("a connection");
                let mut request = [0; 512];
                let read = stream.read(&mut request).expect("a request");
                // At once: whoever asks goes when the status is known.
                let answer = format!("HTTP/1.1 {status}\r\n\r\n");
                stream
                    .write_all(answer.as_bytes())
                    .expect("an open connection");
                String::from_utf8_lossy(&request[..read]).into_owned()
            });
            assert_eq!(address(&listen, None).answers(), expected);
            let request = server.join().expect("one request");
            assert!(
                request.starts_with("GET /healthz HTTP/1.1\r\n"),
                "{request}"
            );
        }
    }

    #[test]
    fn a_port_in_use_is_noticed() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let listen = listener.local_addr().expect("its address").to_string();
        assert!(address(&listen, None).is_taken());
        drop(listener);
        assert!(!address(&listen, None).is_taken());
    }
}
