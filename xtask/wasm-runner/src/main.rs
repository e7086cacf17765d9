//! The runner that cargo calls for tests compiled to WASM.
//! `cargo xtask test` names it in `CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER`; it is a program of
//! its own, so that starting `xtask` does not wait for the web server and client it brings along.

fn main() -> anyhow::Result<()> {
    wasm_bindgen_cli::wasm_bindgen_test_runner::run_cli_with_args(std::env::args_os())
}
