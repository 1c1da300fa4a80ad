//! Finding nets by name.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use quintet_game::text::quote;
use sha2::{Digest as _, Sha256};

use super::{Net, NetChoice, NetError, TinyEval, TinyNet};
use crate::encode::Encode;
use crate::weights::{hex, unusable};
use crate::{Argument, Evaluate, Spec, SpecError, WeightStore};

/// The kind of evaluation that is a net, and the name of a game's own net.
pub(crate) const KIND: &str = "net";

/// The same for tiny nets.
pub(crate) const TINY: &str = "tiny";

const ENDING: &str = "safetensors";

/// The nets that were read, with their checksums.
pub(crate) type Opened<N> = Mutex<HashMap<String, (Arc<N>, String)>>;

impl WeightStore {
    /// The net that the spec of an evaluation names, if it names one: `net` is the game's own, `net(weights=twixt:wide)` the file
    /// `weights/twixt/wide.safetensors`, and `net(weights="wide.safetensors")` a file of the user's. With `average=yes` it is asked about all symmetric
    /// images of a position.
    ///
    /// ```
    /// use quintet_eval::{Spec, WeightStore};
    /// let store = WeightStore::embedded();
    /// assert!(store.net(&Spec::parse("distance").unwrap(), "twixt").unwrap().is_none());
    /// let error = store.net(&Spec::parse("net(weights=twixt:none)").unwrap(), "twixt").unwrap_err();
    /// assert!(error.to_string().contains("was not found"));
    /// ```
    ///
    /// # Errors
    /// When there is no such net, or its file cannot be used.
    pub fn net(&self, spec: &Spec, game: &str) -> Result<Option<NetChoice>, SpecError> {
        if spec.kind != KIND {
            return Ok(None);
        }
        let averaged = spec.arguments().word("average", &["no", "yes"])? == 1;
        Ok(Some(NetChoice { net: self.opened_net(spec, game)?.0, averaged }))
    }

    /// The evaluation by a tiny net that a spec names: `tiny` is the game's own, and others are named as in [`WeightStore::net`]. `name` is the game's.
    ///
    /// # Errors
    /// When there is no such net, its file cannot be used, or it is for another game or board.
    pub(crate) fn tiny<G: Encode>(&self, game: &G, name: &str, spec: &Spec) -> Result<Box<dyn Evaluate<G>>, SpecError> {
        let net = self.opened_tiny(spec, name)?.0;
        let eval = TinyEval::new(net, game, name).map_err(|why| unusable(TINY, format!("cannot be used: {why}")))?;
        Ok(Box::new(eval))
    }

    /// The name and the checksum of the net that a spec names, if it names one.
    pub(crate) fn net_checksum(&self, spec: &Spec, game: &str) -> Result<Option<(String, String)>, SpecError> {
        let checksum = match spec.kind.as_str() {
            KIND => self.opened_net(spec, game)?.1,
            TINY => self.opened_tiny(spec, game)?.1,
            _ => return Ok(None),
        };
        Ok(Some((named(spec, game), checksum)))
    }

    fn opened_net(&self, spec: &Spec, game: &str) -> Result<(Arc<Net>, String), SpecError> {
        self.opened(&self.nets, spec, game, &format!("quintet train {game}:zero"), Net::read)
    }

    fn opened_tiny(&self, spec: &Spec, game: &str) -> Result<(Arc<TinyNet>, String), SpecError> {
        self.opened(&self.tiny_nets, spec, game, "python -m quintet.zero.tiny", TinyNet::read)
    }

    /// The net that a spec names, with its checksum. `train` is a command that makes one.
    fn opened<N>(
        &self,
        nets: &Opened<N>,
        spec: &Spec,
        game: &str,
        train: &str,
        read: fn(&[u8]) -> Result<N, NetError>,
    ) -> Result<(Arc<N>, String), SpecError> {
        let mut arguments = spec.arguments();
        let is_file = matches!(arguments.take("weights"), Some(Argument::Text(_)));
        if spec.kind == KIND {
            arguments.word("average", &["no", "yes"])?;
        }
        arguments.finish()?;
        let name = named(spec, game);
        let mut nets = nets.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = nets.get(&name) {
            return Ok(known.clone());
        }
        let bytes = if is_file {
            quintet_data::read_file(name.as_ref()).map_err(|why| unusable(&name, format!("cannot be read: {why}")))?
        } else {
            self.file(&name, ENDING)?.map(|file| file.bytes.into_owned()).ok_or_else(|| {
                let known = self.names(ENDING).join(", ");
                let why = format!("was not found; the known ones are {known}. Train one with: {train}");
                unusable(&format!("net \"{}\"", quote(&name, 60)), why)
            })?
        };
        let net = read(&bytes).map_err(|why| unusable(&name, format!("cannot be used: {why}")))?;
        let opened = (Arc::new(net), hex(Sha256::new_with_prefix(&bytes)));
        nets.insert(name, opened.clone());
        Ok(opened)
    }
}

/// The name of the net, or its file.
fn named(spec: &Spec, game: &str) -> String {
    match spec.arguments().take("weights") {
        None => format!("{game}:{}", spec.kind),
        Some(Argument::Spec(named)) => named.kind.clone(),
        Some(Argument::Text(path)) => path.clone(),
    }
}
