//! Hands on other machines: the arguments, and the switch between a build that has them and one that has not.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

/// How a cluster is asked to play.
#[derive(Args, Debug)]
pub struct ClusterArgs {
    /// Let the workers of a cluster play, by way of the NATS server at this address
    #[arg(long, value_name = "URL")]
    pub cluster: Option<String>,
    /// Only workers that were started with this tag play
    #[arg(long, requires = "cluster")]
    pub tag: Option<String>,
    #[command(flatten)]
    pub keys: KeyArgs,
}

/// How a NATS server lets us in.
#[derive(Args, Debug)]
pub struct KeyArgs {
    /// The file of NATS credentials for the cluster
    #[arg(long, value_name = "FILE")]
    pub creds: Option<PathBuf>,
    /// The certificates of the authority that signed the NATS server's, in a PEM file
    #[arg(long, value_name = "FILE")]
    pub ca: Option<PathBuf>,
    /// A certificate to show to the NATS server, in a PEM file
    #[arg(long, value_name = "FILE", requires = "key")]
    pub cert: Option<PathBuf>,
    /// The key of that certificate
    #[arg(long, value_name = "FILE", requires = "cert")]
    pub key: Option<PathBuf>,
}

impl ClusterArgs {
    /// Fails if a cluster is asked for that this build cannot use.
    pub fn check(&self) -> Result<()> {
        if self.cluster.is_some() { available() } else { Ok(()) }
    }
}

#[cfg(not(feature = "cluster"))]
mod hands {
    use anyhow::{Result, bail};
    use quintet_agent::Catalogue;
    use quintet_arena::Threads;

    use super::ClusterArgs;

    pub fn available() -> Result<()> {
        bail!(
            "this build has no cluster: take the program of a release archive, or build it with cargo build --release --features cluster"
        )
    }

    pub fn hands<'a>(_args: &ClusterArgs, agents: &'a Catalogue) -> Result<Box<Threads<'a>>> {
        available()?;
        Ok(Box::new(Threads { agents, count: 1 }))
    }
}

#[cfg(feature = "cluster")]
mod hands {
    use std::sync::Arc;

    use anyhow::{Context, Result};
    use quintet_agent::Catalogue;
    use quintet_arena::Hands;
    use quintet_cluster::message::name;
    use quintet_cluster::{Coordinator, Say, Server};
    use sha2::{Digest, Sha256};

    use super::{ClusterArgs, KeyArgs};
    use crate::output::note;
    use crate::version;

    /// Can this build use a cluster?
    pub fn available() -> Result<()> {
        Ok(())
    }

    /// The workers of a cluster.
    pub fn hands<'a>(args: &ClusterArgs, agents: &'a Catalogue) -> Result<Box<dyn Hands + 'a>> {
        let server = server(args.cluster.as_deref().unwrap_or_default(), &args.keys);
        let tag = args.tag.as_deref().map(name);
        Ok(Box::new(Coordinator { server, build: build()?, agents, tag, say: say() }))
    }

    pub fn server(url: &str, keys: &KeyArgs) -> Server {
        Server {
            url: url.to_owned(),
            credentials: keys.creds.clone(),
            authority: keys.ca.clone(),
            certificate: keys.cert.clone().zip(keys.key.clone()),
        }
    }

    /// What a person should know.
    pub fn say() -> Say {
        Arc::new(|text| note!("quintet: {text}"))
    }

    /// Which program this is: version and commit, and where these do not say all of it, the checksum of the file.
    pub fn build() -> Result<String> {
        let version = env!("CARGO_PKG_VERSION");
        let commit = version::commit();
        if let Some(commit) = commit.as_deref().filter(|commit| !commit.contains('+')) {
            return Ok(format!("{version} {commit}"));
        }
        let program = std::env::current_exe().and_then(std::fs::read).context("cannot read this program's own file")?;
        let sum: String = Sha256::digest(&program).iter().take(6).map(|byte| format!("{byte:02x}")).collect();
        Ok(format!("{version} {} {sum}", commit.unwrap_or_default()))
    }
}

pub use hands::*;
