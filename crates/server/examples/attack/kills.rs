//! Servers that are killed, started twice, or lose their folder: whatever was acknowledged is there afterwards.

use std::io::Read;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use futures_util::future::join_all;
use quintet_game::{AnyLine, GameSpec, Rng, SeedableRng};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use crate::client::{Client, Room, Socket};
use crate::malformed::Dice;
use crate::server::{Folder, Server, serve};
use crate::table::Outcome;
use crate::{Result, Setup};

/// The game that is played.
const GAME: &str = "twixt(size=24)";

/// A game between two people whose tokens one client holds, with the moves that were acknowledged.
pub struct Game {
    /// Where it is played.
    pub room: Room,
    /// The acknowledged moves.
    pub line: Box<dyn AnyLine>,
    /// The move that was sent and not acknowledged; it is sent again.
    on_its_way: Option<String>,
    rng: Rng,
}

impl Game {
    /// A new room.
    pub async fn new(client: &Client, seed: u64) -> Result<Game> {
        let person = || json!({ "who": "person" });
        let room = client.room(GAME, [person(), person()]).await?;
        Ok(Game { room, line: GameSpec::parse(GAME)?.line(), on_its_way: None, rng: Rng::seed_from_u64(seed) })
    }

    /// Plays a random move, or again the one that was not acknowledged. Returns whether it is acknowledged now.
    pub async fn play(&mut self, socket: &mut Socket) -> Result<bool> {
        let again = self.on_its_way.take();
        let mv = again.or_else(|| self.line.random_move(&mut self.rng)).ok_or("the game is over")?;
        let (token, ply) = (&self.room.tokens[self.line.to_move().index()], self.line.plies());
        let asked = json!({ "id": ply, "do": "move", "room": self.room.name, "token": token, "ply": ply, "move": mv });
        let acknowledged = socket.ask(&asked).await.is_ok_and(|answer| answer["ok"] == true);
        if acknowledged {
            self.line.try_play(&mv)?;
        } else {
            self.on_its_way = Some(mv);
        }
        Ok(acknowledged)
    }

    /// Counts the acknowledged moves from one on that the server has; takes over the one that was on its way, if it has been stored.
    async fn check(&mut self, client: &Client, from: usize, outcome: &mut Outcome) -> Result<()> {
        let shown = client.ask("GET", &format!("/api/rooms/{}", self.room.name), "").await.answer()?.json();
        let kept: Vec<&str> = shown["moves"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        for (ply, mv) in self.line.moves().iter().enumerate().skip(from) {
            outcome.count(kept.get(ply) == Some(&mv.as_str()), || "an acknowledged move is lost".into());
        }
        match kept.get(self.line.plies()..) {
            None | Some([]) => {}
            Some([mv]) if Some(*mv) == self.on_its_way.as_deref() => {
                self.line.try_play(mv)?;
                self.on_its_way = None;
            }
            Some(more) => outcome.count(false, || format!("moves that nobody has made: {more:?}")),
        }
        Ok(())
    }
}

/// Plays until the server is gone or refuses.
async fn play_on(game: &mut Game, client: Client) {
    let Ok(mut socket) = client.socket().await else { return };
    while matches!(game.play(&mut socket).await, Ok(true)) {}
}

/// Kills the server (SIGKILL) at random moments while four clients play, and starts it again: three times in the short form, two hundred times in the long one. Held: every move
/// that was acknowledged is there after the restart.
pub async fn server(setup: Setup) -> Result<Outcome> {
    let (mut outcome, mut dice) = (Outcome::default(), Dice::new(9));
    let folder = Folder::new("kills")?;
    let data = folder.0.join("data");
    let mut server = Server::start(&setup.program, &data)?;
    let mut games: Vec<Game> = Vec::new();
    let (kills, mut acknowledged) = (setup.pick(3, 200), 0);
    for round in 0..kills {
        let clients: Vec<Client> = (0..4).map(|number| Client::attacker(server.address, number)).collect();
        // Long before a game could end there is another.
        games.retain(|game| game.line.plies() < 100);
        while games.len() < clients.len() {
            games.push(Game::new(&clients[games.len()], round * 10 + games.len() as u64).await?);
        }
        let before: Vec<usize> = games.iter().map(|game| game.line.plies()).collect();
        let moment = Duration::from_millis(20 + dice.below(300) as u64);
        let playing = join_all(games.iter_mut().zip(&clients).map(|(game, client)| play_on(game, *client)));
        let killing = async {
            sleep(moment).await;
            server.kill()
        };
        let (_, killed) = tokio::join!(playing, killing);
        killed?;
        server = Server::start(&setup.program, &data)?;
        for (game, from) in games.iter_mut().zip(before) {
            let client = Client::attacker(server.address, 7);
            game.check(&client, from, &mut outcome).await?;
            acknowledged += game.line.plies() - from;
        }
    }
    outcome.notes.push(format!("{kills} kills, {acknowledged} moves"));
    outcome.count(server.panicked().is_none(), || server.panicked().unwrap_or_default());
    outcome.count(acknowledged > 0, || "no move was ever acknowledged".into());
    Ok(outcome)
}

/// A second server on the data directory of a running one. Held: it ends by itself with a message, and the games of the first go on.
pub async fn second(setup: Setup) -> Result<Outcome> {
    let mut outcome = Outcome::default();
    let folder = Folder::new("second")?;
    let data = folder.0.join("data");
    let first = Server::start(&setup.program, &data)?;
    let client = Client::attacker(first.address, 0);
    let (mut game, mut socket) = (Game::new(&client, 1).await?, client.socket().await?);
    for _ in 0..setup.pick(1, 10) {
        let held = refuses(&setup.program, &data).await;
        outcome.must(held);
        let taken = game.play(&mut socket).await?;
        outcome.count(taken, || "the first server does not take moves any more".into());
    }
    game.check(&client, 0, &mut outcome).await?;
    Ok(outcome)
}

/// Starts a server that must end by itself with a message.
async fn refuses(program: &Path, data: &Path) -> Result<()> {
    let mut child = serve(program, data).stderr(Stdio::piped()).spawn()?;
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_secs(10) {
        if let Some(status) = child.try_wait()? {
            let mut why = String::new();
            child.stderr.take().ok_or("no messages")?.read_to_string(&mut why)?;
            let said = status.code() == Some(2) && why.contains("is in use by quintet serve");
            return if said {
                Ok(())
            } else {
                Err(format!("the second server ended with {status} and {why:?}").into())
            };
        }
        sleep(Duration::from_millis(20)).await;
    }
    child.kill()?;
    child.wait()?;
    Err("the second server runs on the same directory".into())
}

/// The data directory of a running server is moved away while a client plays, or removed, and comes back. Held: moves are not acknowledged meanwhile or are there afterwards, and
/// moves are taken again when it is back.
pub async fn vanished(setup: Setup) -> Result<Outcome> {
    let mut outcome = Outcome::default();
    let folder = Folder::new("vanished")?;
    let (data, away) = (folder.0.join("data"), folder.0.join("away"));
    let mut server = Server::start(&setup.program, &data)?;
    let client = Client::attacker(server.address, 0);
    let mut game = Game::new(&client, 1).await?;
    for round in 0..setup.pick(2, 20) {
        let mut socket = client.socket().await?;
        for _ in 0..3 {
            game.play(&mut socket).await?;
        }
        if round % 2 == 0 {
            std::fs::rename(&data, &away)?;
        } else {
            copy(&data, &away)?;
            std::fs::remove_dir_all(&data)?;
        }
        for _ in 0..3 {
            game.play(&mut socket).await?;
        }
        // The server may have made the folder again; what was in it comes back all the same.
        let _ = std::fs::remove_dir_all(&data);
        std::fs::rename(&away, &data)?;
        let taken = taken_again(&mut game, client).await;
        outcome.must(taken);
    }
    server.kill()?;
    server = Server::start(&setup.program, &data)?;
    game.check(&Client::attacker(server.address, 0), 0, &mut outcome).await?;
    outcome.notes.push(format!("{} moves acknowledged", game.line.plies()));
    Ok(outcome)
}

/// Copies a folder with everything in it.
fn copy(from: &Path, to: &Path) -> Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            std::fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

/// Waits until a game takes moves.
async fn taken_again(game: &mut Game, client: Client) -> Result<()> {
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_secs(20) {
        let mut socket = client.socket().await?;
        if game.play(&mut socket).await? {
            return Ok(());
        }
        sleep(Duration::from_millis(500)).await;
    }
    Err("moves are not taken when the folder is back".into())
}
