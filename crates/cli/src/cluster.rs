//! Hands on other machines: the arguments, and the switch between a build that has them and one that has not.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use crate::output::note;

/// The environment variable that has the address of the NATS server.
pub const URL: &str = "QUINTET_CLUSTER";

/// How a cluster is asked to play.
#[derive(Args, Debug)]
pub struct ClusterArgs {
    /// Let the workers of a cluster play, by way of the NATS server at this address. Other users of this machine see arguments, so give a password in the environment
    #[arg(long, value_name = "URL", env = URL, hide_env_values = true)]
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
    /// The address of the NATS server, if a cluster plays. An empty variable counts as unset.
    pub fn url(&self) -> Option<&str> {
        self.cluster.as_deref().filter(|url| !url.is_empty())
    }

    /// Fails if a cluster is asked for that this build cannot use, and says what does not count.
    pub fn check(&self, threads: Option<usize>) -> Result<()> {
        let Some(_) = self.url() else { return Ok(()) };
        available()?;
        if threads.is_some() {
            note!("quintet: --threads does not count, since the workers of the cluster play");
        }
        Ok(())
    }

    /// The options that ask for the same cluster again, without a password.
    pub fn again(&self) -> String {
        let mut options = self.url().map_or_else(String::new, |url| format!(" --cluster {}", public(url)));
        if let Some(tag) = self.tag.as_ref().filter(|_| !options.is_empty()) {
            options += &format!(" --tag {tag}");
        }
        options
    }
}

#[cfg(not(feature = "cluster"))]
mod hands {
    use anyhow::{Result, bail};
    use quintet_agent::Catalogue;
    use quintet_arena::Threads;

    use quintet_game::twixt::Move;
    use quintet_game::{GameSpec, Value};
    use quintet_solve::twixt::FirstPegs;

    use super::ClusterArgs;

    /// The address without a password: nothing is connected here.
    pub fn public(_url: &str) -> &str {
        "URL"
    }

    pub fn available() -> Result<()> {
        bail!(
            "this build has no cluster: take the program of a release archive, or build it with cargo build --release --features cluster"
        )
    }

    pub fn hands<'a>(_args: &ClusterArgs, agents: &'a Catalogue, _without: Option<&str>) -> Result<Box<Threads<'a>>> {
        available()?;
        Ok(Box::new(Threads { agents, count: 1 }))
    }

    pub fn solve<const W: usize, const B: usize>(
        _args: &ClusterArgs,
        _spec: &GameSpec,
        _memory: u64,
        _pegs: &mut FirstPegs<W, B>,
        _halt: &dyn Fn() -> bool,
        _heard: &mut dyn FnMut(Move, Option<Value>, u64),
    ) -> Result<()> {
        available()
    }
}

#[cfg(feature = "cluster")]
mod hands {
    use std::path::PathBuf;
    use std::sync::Arc;

    use anyhow::{Context, Result, bail};
    use quintet_agent::Catalogue;
    use quintet_arena::Hands;
    use quintet_cluster::message::{MapPlan, name};
    pub use quintet_cluster::public;
    use quintet_cluster::{Coordinator, Say, Server};
    use quintet_game::twixt::Move;
    use quintet_game::{GameSpec, Value};
    use quintet_solve::twixt::FirstPegs;
    use sha2::{Digest, Sha256};

    use super::{ClusterArgs, KeyArgs};
    use crate::output::note;
    use crate::version;

    /// Can this build use a cluster?
    pub fn available() -> Result<()> {
        Ok(())
    }

    /// The workers of a cluster, without one that is not to be trusted.
    pub fn hands<'a>(args: &ClusterArgs, agents: &'a Catalogue, without: Option<&str>) -> Result<Box<dyn Hands + 'a>> {
        Ok(Box::new(coordinator(args, agents, without)?))
    }

    fn coordinator<'a>(args: &ClusterArgs, agents: &'a Catalogue, without: Option<&str>) -> Result<Coordinator<'a>> {
        let server = server(args.url().unwrap_or_default(), &args.keys);
        let (tag, without) = (args.tag.as_deref().map(name), without.map(name));
        Ok(Coordinator { server, build: build()?, agents, tag, without, say: say() })
    }

    /// Solves first pegs by the workers of a cluster, with this many MiB for each.
    pub fn solve<const W: usize, const B: usize>(
        args: &ClusterArgs,
        spec: &GameSpec,
        memory: u64,
        pegs: &mut FirstPegs<W, B>,
        halt: &dyn Fn() -> bool,
        heard: &mut dyn FnMut(Move, Option<Value>, u64),
    ) -> Result<()> {
        let plan = MapPlan { game: spec.to_string(), memory };
        Ok(coordinator(args, Catalogue::embedded(), None)?.solve(&plan, pegs, halt, heard)?)
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
        let file = own_file()?;
        let program = std::fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let sum: String = Sha256::digest(&program).iter().take(6).map(|byte| format!("{byte:02x}")).collect();
        Ok(format!("{version} {} {sum}", commit.unwrap_or_default()))
    }

    /// The file that has this code: the program, or in Python the library that the interpreter has loaded.
    fn own_file() -> Result<PathBuf> {
        if let Some(file) = loaded_file() {
            return Ok(file);
        }
        let program = std::env::current_exe().context("cannot find this program's own file")?;
        if program.file_stem().is_some_and(|stem| stem.to_string_lossy().starts_with("quintet")) {
            return Ok(program);
        }
        bail!(
            "this build does not know its commit, and so not whether other machines have the same: use the program of a release archive, or a package that was built in a checkout of git"
        )
    }

    /// The file from which this code was loaded, where the system lists such files.
    fn loaded_file() -> Option<PathBuf> {
        let code = loaded_file as *const () as usize;
        let maps = std::fs::read_to_string("/proc/self/maps").ok()?;
        // Lines such as `7f0c2000-7f0c4000 r-xp 00000000 08:01 1234    /usr/lib/library.so`.
        maps.lines().find_map(|line| {
            let (low, high) = line.split_once(' ')?.0.split_once('-')?;
            let bound = |text: &str| usize::from_str_radix(text, 16).ok();
            let has_code = (bound(low)?..bound(high)?).contains(&code);
            has_code.then(|| line.find('/').map(|at| PathBuf::from(&line[at..])))?
        })
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn what_asks_for_the_cluster_again_has_no_password() {
            let keys = KeyArgs { creds: None, ca: None, cert: None, key: None };
            let args =
                ClusterArgs { cluster: Some("tls://lab:secret@here:4222".into()), tag: Some("gpu".into()), keys };
            assert_eq!(args.again(), " --cluster tls://here:4222 --tag gpu");
            let none = ClusterArgs { cluster: Some(String::new()), ..args };
            assert_eq!((none.url(), none.again().as_str()), (None, ""));
        }

        #[cfg(target_os = "linux")]
        #[test]
        fn the_file_of_this_code_is_found() {
            assert_eq!(loaded_file(), std::env::current_exe().ok());
            assert!(build().unwrap().starts_with(env!("CARGO_PKG_VERSION")));
        }
    }
}

pub use hands::*;
