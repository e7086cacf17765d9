//! What a release weighs and how it starts: the size of its files, the time from the archive to the
//! first answer, and the memory of an idle server. docs/SPEED.md has the last figures.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, ensure};
use flate2::read::GzDecoder;

use crate::files;

/// The middle one counts.
const STARTS: usize = 5;
/// How long a server is left alone before its memory is read.
const IDLE: Duration = Duration::from_secs(3);
/// What a browser loads for the demo page, besides the files that the control names.
const PAGES: [&str; 3] = ["/demo/", "/control/checklist-control.js", "/demo/token"];

/// A server that ends with this value.
struct Server {
    child: Child,
    /// Host and port.
    address: String,
    /// Open, because the server goes on to say something.
    output: BufReader<ChildStdout>,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Prints the figures of a release.
///
/// # Errors
/// When a server does not start, or does not answer.
pub fn print(folder: &Path) -> Result<()> {
    println!("\n=== figures ===");
    let mut archives = Vec::new();
    for path in files::list(folder)? {
        let name = files::name(&path);
        println!("{:>12} bytes  {name}", fs::metadata(&path)?.len());
        if name.ends_with(".tar.gz") {
            archives.push((name, path));
        }
    }
    for (name, path) in archives {
        measure(&name, &path)?;
    }
    Ok(())
}

fn measure(name: &str, path: &Path) -> Result<()> {
    let mut times = Vec::new();
    let mut memory = Vec::new();
    let mut size = 0;
    for _ in 0..STARTS {
        let place = tempfile::tempdir().context("making a folder")?;
        let begin = Instant::now();
        tar::Archive::new(GzDecoder::new(File::open(path)?)).unpack(place.path())?;
        let root = place.path().join(name.trim_end_matches(".tar.gz"));
        let program = root.join("checklist-server");
        let unpacked = begin.elapsed();
        let server = start(&program, &root)?;
        get(&server.address, "GET", "/readyz")?;
        times.push((begin.elapsed() - unpacked, begin.elapsed()));
        sleep(IDLE);
        let after_start = resident(&server)?;
        for page in PAGES {
            let method = if page.ends_with("token") {
                "POST"
            } else {
                "GET"
            };
            get(&server.address, method, page)?;
        }
        sleep(IDLE);
        memory.push((after_start, resident(&server)?));
        size = fs::metadata(&program)?.len();
    }
    times.sort();
    memory.sort_unstable();
    let ((start, whole), (idle, used)) = (times[STARTS / 2], memory[STARTS / 2]);
    println!(
        "{name}: program {size} bytes; answers {} ms after its start, {} ms after the archive was opened; \
         {:.1} MiB after the start, {:.1} MiB after the demo page",
        start.as_millis(),
        whole.as_millis(),
        idle as f64 / 1024.0,
        used as f64 / 1024.0
    );
    Ok(())
}

fn start(program: &Path, folder: &Path) -> Result<Server> {
    let mut child = Command::new(program)
        .args(["serve", "--demo", "--listen", "127.0.0.1:0", "--data-dir"])
        .arg(folder.join("data"))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .with_context(|| format!("starting {}", program.display()))?;
    let output = child.stdout.take().context("a server without an output")?;
    let mut server = Server {
        child,
        address: String::new(),
        output: BufReader::new(output),
    };
    let mut line = String::new();
    while server.output.read_line(&mut line)? > 0 {
        if let Some((_, address)) = line.split_once("listening on http://") {
            address.trim().clone_into(&mut server.address);
            return Ok(server);
        }
        line.clear();
    }
    Err(anyhow!("the server ended before it listened"))
}

/// One request, whose answer is read to its end.
fn get(address: &str, method: &str, path: &str) -> Result<()> {
    let mut stream = TcpStream::connect(address)?;
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    )?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    ensure!(
        answer.starts_with(b"HTTP/1.1 200"),
        "{path} is not answered"
    );
    Ok(())
}

/// Resident memory in KiB.
fn resident(server: &Server) -> Result<u64> {
    let path = format!("/proc/{}/status", server.child.id());
    let status = files::read_text(Path::new(&path))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let number = line.and_then(|rest| rest.split_whitespace().next());
    number
        .and_then(|number| number.parse().ok())
        .ok_or_else(|| anyhow!("{path} names no VmRSS"))
}
