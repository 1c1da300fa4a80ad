//! Positions for the comparisons, and the comparison itself.

use quintet_agent::{Mode, seat};
use quintet_game::bits::mix;
use quintet_game::{AnyLine, GameSpec, Limit, Outcome, Rng, SeedableRng, Stop};
use quintet_search::Choice;

/// An agent of the catalogue in one mode, and the comparison with its twin.
pub struct Twin {
    pub agent: &'static str,
    pub mode: Mode,
    pub check: fn(&mut Tally),
}

pub const fn printed(agent: &'static str, check: fn(&mut Tally)) -> Twin {
    Twin { agent, mode: Mode::Printed, check }
}

pub const fn programmed(agent: &'static str, check: fn(&mut Tally)) -> Twin {
    Twin { agent, mode: Mode::AsProgrammed, check }
}

/// A position, with the moves that led to it.
#[derive(Clone, Debug)]
pub struct Spot(pub Box<dyn AnyLine>);

impl Spot {
    /// A copy for playing on.
    pub fn line(&self) -> Box<dyn AnyLine> {
        self.0.clone()
    }

    pub fn pieces(&self) -> usize {
        let text = self.0.position();
        text.split(' ').next().unwrap().chars().filter(|c| !"./#".contains(*c)).count()
    }
}

pub fn spec(text: &str) -> GameSpec {
    GameSpec::parse(text).unwrap()
}

/// A game of `plies` moves that does not end: `choose` proposes moves, and one that ends the game is taken back. `None` if it cannot go on.
pub fn walk(spec: GameSpec, plies: usize, choose: &mut dyn FnMut(&dyn AnyLine) -> String) -> Option<Spot> {
    let mut line = spec.line();
    while line.plies() < plies {
        (0..50).find(|_| {
            let mv = choose(&*line);
            line.try_play(&mv).unwrap();
            let goes_on = line.end().is_none();
            if !goes_on {
                line.undo();
            }
            goes_on
        })?;
    }
    Some(Spot(line))
}

/// One position after each number of plies, by random moves.
pub fn random_spots(game: &str, seed: u64, plies: impl IntoIterator<Item = usize>) -> Vec<Spot> {
    let mut rng = Rng::seed_from_u64(seed);
    let one = |plies| {
        (0..200)
            .find_map(|_| walk(spec(game), plies, &mut |line| line.random_move(&mut rng).unwrap()))
            .unwrap_or_else(|| panic!("no game of {game} lasts {plies} plies"))
    };
    plies.into_iter().map(one).collect()
}

/// Positions of games that are mostly played by an agent; a number of plies that no such game reaches is left out.
pub fn agent_spots(game: &str, agent: &str, seed: u64, plies: impl IntoIterator<Item = usize>) -> Vec<Spot> {
    let mut rng = Rng::seed_from_u64(seed);
    let mut draw = dice(seed);
    let mut agent = seat(&spec(game), agent, seed).unwrap();
    let mut choose = |line: &dyn AnyLine| {
        // Another move now and then, because one that ends the game is refused.
        if draw(4) == 0 {
            return line.random_move(&mut rng).unwrap();
        }
        agent.think(line, &Limit::default(), &Stop::never(), &mut |_| {}).unwrap().mv
    };
    plies.into_iter().filter_map(|plies| (0..20).find_map(|_| walk(spec(game), plies, &mut choose))).collect()
}

/// `count` positions with a special property, from random games of `plies` in turn.
pub fn spots_where(game: &str, seed: u64, plies: &[usize], count: usize, keep: impl Fn(&Spot) -> bool) -> Vec<Spot> {
    let mut rng = Rng::seed_from_u64(seed);
    let spots = plies.iter().cycle().take(4000).filter_map(|&plies| {
        walk(spec(game), plies, &mut |line| line.random_move(&mut rng).unwrap()).filter(|spot| keep(spot))
    });
    let found: Vec<Spot> = spots.take(count).collect();
    assert_eq!(found.len(), count, "too few such positions of {game}");
    found
}

/// Plays a move, asks something, and takes it back.
pub fn after<T>(line: &mut dyn AnyLine, mv: &str, ask: impl FnOnce(&mut dyn AnyLine) -> T) -> T {
    line.try_play(mv).unwrap();
    let answer = ask(line);
    line.undo();
    answer
}

/// The moves that win at once.
pub fn wins_in_one(line: &mut dyn AnyLine) -> Vec<String> {
    let won = Some(Outcome::Win(line.to_move()));
    let mut moves = line.legal_moves();
    moves.retain(|mv| after(line, mv, |next| next.end().map(|(outcome, _)| outcome) == won));
    moves
}

/// The moves with the best value, and that value. The order of `scored` is kept, so the first one is the choice of `ties=first`.
pub fn best(scored: &[(String, f64)]) -> (Vec<&str>, f64) {
    let top = scored.iter().map(|(_, value)| *value).fold(f64::NEG_INFINITY, f64::max);
    (scored.iter().filter(|(_, value)| *value == top).map(|(mv, _)| mv.as_str()).collect(), top)
}

/// The result of a comparison.
pub struct Tally {
    agent: &'static str,
    mode: Mode,
    pub compared: usize,
    pub faults: Vec<String>,
}

impl Tally {
    pub fn new(twin: &Twin) -> Tally {
        Tally { agent: twin.agent, mode: twin.mode, compared: 0, faults: Vec::new() }
    }

    pub fn name(&self) -> String {
        format!("{}(mode={})", self.agent, self.mode)
    }

    /// The agent's choice; `extra` is added to its arguments.
    pub fn ask(&self, spot: &Spot, extra: &str, seed: u64) -> Choice<String> {
        let comma = if extra.is_empty() { "" } else { "," };
        let agent = format!("{}(mode={}{comma}{extra})", self.agent, self.mode);
        let mut seat = seat(&spot.0.spec(), &agent, seed).unwrap_or_else(|error| panic!("{agent}: {error}"));
        seat.think(&*spot.0, &Limit::default(), &Stop::never(), &mut |_| {}).unwrap()
    }

    /// One more position has been compared.
    pub fn count(&mut self, spot: &Spot, agrees: bool, says: impl FnOnce() -> String) {
        self.compared += 1;
        self.check(spot, agrees, says);
    }

    /// Another check of a position that has been compared.
    pub fn check(&mut self, spot: &Spot, agrees: bool, says: impl FnOnce() -> String) {
        if !agrees {
            self.faults.push(format!("{} at {} {}: {}", self.name(), spot.0.spec(), spot.0.position(), says()));
        }
    }

    /// The agent must choose the first of the twin's best moves, and with random ties any of them; its value must be theirs.
    pub fn compare(&mut self, spot: &Spot, extra: &str, scored: &[(String, f64)]) {
        self.compare_first(spot, extra, scored);
        let (moves, value) = best(scored);
        for seed in [2, 3] {
            let any = self.ask(spot, extra, seed);
            self.check(spot, moves.contains(&any.mv.as_str()) && near(any.value, value), || {
                format!("seed {seed}: {} ({}), not one of {moves:?} ({value})", any.mv, any.value)
            });
        }
    }

    /// The agent must choose the first of the twin's best moves if it takes the first of equal ones; its value must be theirs.
    pub fn compare_first(&mut self, spot: &Spot, extra: &str, scored: &[(String, f64)]) {
        let (moves, value) = best(scored);
        let comma = if extra.is_empty() { "" } else { "," };
        let first = self.ask(spot, &format!("{extra}{comma}ties=first"), 1);
        self.count(spot, first.mv == moves[0] && near(first.value, value), || {
            format!("the agent plays {} ({}), the twin {} ({value}) of {moves:?}", first.mv, first.value, moves[0])
        });
    }

    /// The agent may choose any of the twin's best moves; its value must be theirs.
    pub fn compare_value(&mut self, spot: &Spot, extra: &str, scored: &[(String, f64)]) {
        let (moves, value) = best(scored);
        let chosen = self.ask(spot, extra, 1);
        self.count(spot, moves.contains(&chosen.mv.as_str()) && near(chosen.value, value), || {
            format!("the agent plays {} ({}), the twin one of {moves:?} ({value})", chosen.mv, chosen.value)
        });
    }
}

/// Equal up to rounding.
pub fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(1.0)
}

/// Random numbers below a bound.
pub fn dice(seed: u64) -> impl FnMut(usize) -> usize {
    let mut state = seed << 32;
    move |below| {
        state += 1;
        (mix(state) % below as u64) as usize
    }
}
