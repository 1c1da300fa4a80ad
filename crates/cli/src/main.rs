//! The binary `quintet`.

use std::process::ExitCode;

fn main() -> ExitCode {
    quintet_cli::main(std::env::args_os()).into()
}
