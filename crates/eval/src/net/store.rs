//! Finding nets by name.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use quintet_game::text::quote;
use sha2::{Digest as _, Sha256};

use super::{Net, NetChoice};
use crate::weights::{hex, unusable};
use crate::{Argument, Spec, SpecError, WeightStore};

/// The kind of evaluation that is a net, and the name of a game's own net.
pub(crate) const KIND: &str = "net";

const ENDING: &str = "safetensors";

/// The nets that were read, with their checksums.
pub(crate) type Opened = Mutex<HashMap<String, (Arc<Net>, String)>>;

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
        Ok(Some(NetChoice { net: self.opened(spec, game)?.0, averaged }))
    }

    /// The name and the checksum of the net that a spec names.
    pub(crate) fn net_checksum(&self, spec: &Spec, game: &str) -> Result<(String, String), SpecError> {
        Ok((named(spec, game), self.opened(spec, game)?.1))
    }

    fn opened(&self, spec: &Spec, game: &str) -> Result<(Arc<Net>, String), SpecError> {
        let mut arguments = spec.arguments();
        let is_file = matches!(arguments.take("weights"), Some(Argument::Text(_)));
        arguments.word("average", &["no", "yes"])?;
        arguments.finish()?;
        let name = named(spec, game);
        let mut nets = self.nets.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = nets.get(&name) {
            return Ok(known.clone());
        }
        let bytes = if is_file {
            quintet_data::read_file(name.as_ref()).map_err(|why| unusable(&name, format!("cannot be read: {why}")))?
        } else {
            self.file(&name, ENDING)?.map(|file| file.bytes.into_owned()).ok_or_else(|| {
                let known = self.names(ENDING).join(", ");
                let why =
                    format!("was not found; the known ones are {known}. Train one with: quintet train {game}:zero");
                unusable(&format!("net \"{}\"", quote(&name, 60)), why)
            })?
        };
        let net = Net::read(&bytes).map_err(|why| unusable(&name, format!("cannot be used: {why}")))?;
        let opened = (Arc::new(net), hex(Sha256::new_with_prefix(&bytes)));
        nets.insert(name, opened.clone());
        Ok(opened)
    }
}

/// The name of the net, or its file.
fn named(spec: &Spec, game: &str) -> String {
    match spec.arguments().take("weights") {
        None => format!("{game}:{KIND}"),
        Some(Argument::Spec(named)) => named.kind.clone(),
        Some(Argument::Text(path)) => path.clone(),
    }
}
