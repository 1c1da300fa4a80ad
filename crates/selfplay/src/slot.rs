//! One game at a time: its search, its moves, its end.

use std::sync::Arc;

use quintet_eval::encode::{Encode, Partial, Step, View, views};
use quintet_game::bits::scale;
use quintet_game::{AnyLine, Game, GameSpec, Line, Outcome, Player, Rng};
use rand_core::Rng as _;

use crate::config::{Config, Search};
use crate::engine::{EndingHook, Stats};
use crate::gumbel::{self, Drawn};
use crate::math::unit;
use crate::puct;
use crate::samples::{Store, Target};
use crate::tree::{Child, Tree, worth};

/// What all games of a run share.
pub struct Rules<G: Game> {
    pub spec: GameSpec,
    pub game: Arc<G>,
    pub config: Config,
    pub views: Vec<View>,
    pub ending: Option<EndingHook>,
    /// The schedules of full and of fast searches by the number of drawn actions, for Gumbel AlphaZero.
    schedules: [Vec<Vec<f32>>; 2],
}

impl<G: Encode> Rules<G> {
    pub fn new(spec: GameSpec, game: G, config: Config, ending: Option<EndingHook>) -> Rules<G> {
        let fast = config.fast.map_or(0, |fast| fast.simulations);
        let schedules = [config.simulations, fast].map(|simulations| match config.search {
            Search::Gumbel(gumbel) => {
                let most = gumbel.considered.min(game.actions());
                (0..=most).map(|drawn| gumbel::schedule(drawn.max(1), simulations as usize)).collect()
            }
            Search::Puct(_) => Vec::new(),
        });
        Rules { spec, views: views(&game), game: Arc::new(game), config, ending, schedules }
    }
}

/// What a slot has asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Request {
    Nothing,
    Root,
    Leaf,
}

/// A game, its search and what was learned in it so far.
pub struct Slot<G: Game> {
    rng: Rng,
    pos: G::Pos,
    partial: Partial,
    moves: u32,
    /// Keys of all positions of the game, where they can recur.
    keys: Vec<u64>,
    /// The value of each player's last search.
    last_values: [f32; 2],
    asked: Request,
    /// Is this search a full one, to be learned from?
    full: bool,
    simulations: u32,
    drawn: Drawn,
    tree: Tree,
    /// Nodes and edges from the root to the leaf, and the keys of the positions between.
    path: Vec<(u32, u32)>,
    path_keys: Vec<u64>,
    /// The legal actions of the position that was asked for, and its mover.
    legal: Vec<u16>,
    mover: Player,
    store: Store,
}

/// Where a walk comes to.
struct Place<G: Game> {
    pos: G::Pos,
    partial: Partial,
}

impl<G: Encode> Slot<G> {
    pub fn new(rules: &Rules<G>, rng: Rng) -> Slot<G> {
        Slot {
            rng,
            pos: rules.game.start(),
            partial: Partial::NONE,
            moves: 0,
            keys: Vec::new(),
            last_values: [1.0; 2],
            asked: Request::Nothing,
            full: true,
            simulations: 0,
            drawn: Drawn::default(),
            tree: Tree::default(),
            path: Vec::new(),
            path_keys: Vec::new(),
            legal: Vec::new(),
            mover: Player::First,
            store: Store::default(),
        }
    }

    /// Goes on with the answer to what was asked for until something else must be: packs that position into `out`.
    pub fn advance(
        &mut self,
        rules: &Rules<G>,
        (logits, value): (&[f32], f32),
        out: &mut [u32],
        finished: &mut Store,
        stats: &mut Stats,
    ) {
        stats.positions += 1;
        match self.asked {
            Request::Nothing => self.begin(rules),
            Request::Root => self.grow_root(rules, logits, value),
            Request::Leaf => {
                let node = self.tree.grow(self.mover, &self.legal, logits, value, rules.config.width);
                let (_, edge) = self.path[self.path.len() - 1];
                self.tree.set_node(edge as usize, node);
                let value = if self.mover == Player::First { value } else { -value };
                self.tree.back_up(&self.path, value);
            }
        }
        loop {
            if self.tree.nodes.is_empty() {
                return self.ask_root(rules, out);
            }
            if self.tree.nodes[0].visits >= self.simulations as f32 {
                self.play(rules, finished, stats);
            } else if self.simulate(rules, out) {
                return;
            }
        }
    }

    /// Begins a game with random moves.
    fn begin(&mut self, rules: &Rules<G>) {
        let game = &*rules.game;
        self.store.clear();
        self.tree.clear();
        self.partial = Partial::NONE;
        self.last_values = [1.0; 2];
        let mut wanted = scale(self.rng.next_u32(), rules.config.opening.saturating_add(1));
        loop {
            self.pos = game.start();
            self.keys.clear();
            self.note_key(game);
            self.moves = 0;
            while self.moves < wanted && game.outcome(&self.pos).is_none() {
                let mv = game.random_move(&self.pos, &mut self.rng);
                game.play(&mut self.pos, mv);
                self.note_key(game);
                self.moves += 1;
            }
            if self.end(rules).is_none() {
                return;
            }
            // Over already: with fewer random moves in the end there are none.
            wanted = wanted.saturating_sub(1);
            if wanted == 0 && self.moves == 0 {
                return;
            }
        }
    }

    fn note_key(&mut self, game: &G) {
        if G::REPEATS {
            self.keys.push(game.key(&self.pos));
        }
    }

    /// How the game has ended, if it has: by the rules, by repetition, because nobody can win any more, by length, or by proof.
    fn end(&self, rules: &Rules<G>) -> Option<Outcome> {
        let game = &*rules.game;
        if let Some(outcome) = game.outcome(&self.pos) {
            return Some(outcome);
        }
        let now = self.keys.last();
        let repeated = G::REPEATS && self.keys.iter().filter(|key| Some(*key) == now).count() >= 3;
        if repeated || self.moves >= rules.config.most_moves || game.is_dead(&self.pos) {
            return Some(Outcome::Draw);
        }
        let hook = rules.ending.as_ref().filter(|_| game.pieces(&self.pos) >= rules.config.solve_from)?;
        let line = Line::from_position(Arc::clone(&rules.game), self.pos.clone());
        hook(&*<dyn AnyLine>::new(rules.spec, line))
    }

    /// Asks for the value and priors of the root of a new search.
    fn ask_root(&mut self, rules: &Rules<G>, out: &mut [u32]) {
        let config = &rules.config;
        let fast = config.fast.filter(|fast| unit(&mut self.rng) < fast.share);
        self.full = fast.is_none();
        self.simulations = fast.map_or(config.simulations, |fast| fast.simulations);
        self.path.clear();
        let place = Place { pos: self.pos.clone(), partial: self.partial };
        self.ask(rules, &place, Request::Root, out);
        if self.full {
            self.store.words.extend_from_slice(out);
        }
    }

    fn ask(&mut self, rules: &Rules<G>, place: &Place<G>, asked: Request, out: &mut [u32]) {
        let game = &*rules.game;
        self.legal.clear();
        game.legal(&place.pos, place.partial, &mut self.legal);
        self.mover = game.to_move(&place.pos);
        self.asked = asked;
        game.pack(&place.pos, place.partial, out);
    }

    fn grow_root(&mut self, rules: &Rules<G>, logits: &[f32], value: f32) {
        self.tree.grow(self.mover, &self.legal, logits, value, usize::MAX);
        match &rules.config.search {
            Search::Gumbel(gumbel) => {
                self.drawn.draw(&self.tree, gumbel, self.simulations as usize, &mut self.rng);
            }
            Search::Puct(puct) if self.full && puct.noise > 0.0 => {
                puct::add_noise(&mut self.tree, puct, &mut self.rng);
            }
            Search::Puct(_) => {}
        }
    }

    /// One simulation: true if it asks for a position, false if it came to the end of a game.
    fn simulate(&mut self, rules: &Rules<G>, out: &mut [u32]) -> bool {
        let game = &*rules.game;
        let mut place = Place { pos: self.pos.clone(), partial: self.partial };
        self.path.clear();
        self.path_keys.clear();
        let mut node = 0;
        loop {
            let edge = self.select(rules, node);
            self.path.push((node, edge as u32));
            let child = self.tree.child(edge);
            if let Child::Finished(value) = child {
                self.tree.back_up(&self.path, value);
                return false;
            }
            let moved = match game.step(&place.pos, place.partial, self.tree.actions[edge]) {
                Step::Partial(partial) => {
                    place.partial = partial;
                    false
                }
                Step::Move(mv) => {
                    place.partial = Partial::NONE;
                    game.play(&mut place.pos, mv);
                    true
                }
            };
            if let Child::Node(next) = child {
                if G::REPEATS && moved {
                    self.path_keys.push(game.key(&place.pos));
                }
                node = next;
                continue;
            }
            if moved && let Some(outcome) = game.outcome(&place.pos).or_else(|| self.repetition(game, &place.pos)) {
                let value = self.tree.set_end(edge, outcome);
                self.tree.back_up(&self.path, value);
                return false;
            }
            self.ask(rules, &place, Request::Leaf, out);
            return true;
        }
    }

    /// A position that was on the path of this simulation, or twice before in the game, counts as a draw.
    fn repetition(&self, game: &G, pos: &G::Pos) -> Option<Outcome> {
        if !G::REPEATS {
            return None;
        }
        let key = game.key(pos);
        let before = self.keys.iter().filter(|before| **before == key).count();
        let on_path = self.path_keys.contains(&key) || self.keys.last() == Some(&key);
        (on_path || before >= 2).then_some(Outcome::Draw)
    }

    fn select(&mut self, rules: &Rules<G>, node: u32) -> usize {
        match &rules.config.search {
            Search::Gumbel(gumbel) if node == 0 => {
                let schedule = &rules.schedules[usize::from(!self.full)][self.drawn.count()];
                let wanted = schedule[self.tree.nodes[0].visits as usize];
                self.drawn.pick(&self.tree, gumbel, wanted)
            }
            Search::Gumbel(gumbel) => gumbel::select(&mut self.tree, node, gumbel),
            Search::Puct(puct) => puct::select(&self.tree, node, puct),
        }
    }

    /// The search is over: notes what was learned, plays its choice and sees whether the game goes on.
    fn play(&mut self, rules: &Rules<G>, finished: &mut Store, stats: &mut Stats) {
        let game = &*rules.game;
        let (value, mut edge) = match &rules.config.search {
            Search::Gumbel(gumbel) => {
                let value = gumbel::improve(&mut self.tree, 0, gumbel);
                (value, self.drawn.pick(&self.tree, gumbel, self.drawn.most_visits(&self.tree)))
            }
            Search::Puct(puct) => {
                puct::shares(&mut self.tree);
                let drawn = self.moves < puct.drawn_moves;
                (self.tree.root_value(), puct::choose(&self.tree, drawn, &mut self.rng))
            }
        };
        edge = self.tree.winning_edge().unwrap_or(edge);
        let mover = self.tree.nodes[0].mover;
        if self.full {
            self.store.shares.extend(self.tree.actions.iter().copied().zip(self.tree.numbers.iter().copied()));
            self.store.ends.push(self.store.shares.len());
            let result = worth(Outcome::Win(Player::First), mover);
            self.store.targets.push(Target { result, value, moves_left: self.moves as f32 });
        }
        let action = self.tree.actions[edge];
        self.tree.clear();
        let resigned =
            rules.config.resign.is_some_and(|least| value < least && self.last_values[mover.index()] < least);
        self.last_values[mover.index()] = value;
        let end = if resigned {
            Some(Outcome::Win(mover.other()))
        } else {
            match game.step(&self.pos, self.partial, action) {
                Step::Partial(partial) => {
                    self.partial = partial;
                    None
                }
                Step::Move(mv) => {
                    self.partial = Partial::NONE;
                    game.play(&mut self.pos, mv);
                    self.moves += 1;
                    self.note_key(game);
                    self.end(rules)
                }
            }
        };
        if let Some(outcome) = end {
            self.finish(rules, outcome, finished, stats);
            self.begin(rules);
        }
    }

    /// The game is over: its samples get their results and go.
    fn finish(&mut self, rules: &Rules<G>, outcome: Outcome, finished: &mut Store, stats: &mut Stats) {
        stats.games += 1;
        stats.moves += u64::from(self.moves);
        match outcome {
            Outcome::Win(player) => stats.wins[player.index()] += 1,
            Outcome::Draw => stats.draws += 1,
        }
        let images = if rules.config.symmetries { rules.views.len() } else { 1 };
        for (number, target) in self.store.targets.iter().enumerate() {
            let view = &rules.views[scale(self.rng.next_u32(), images as u32) as usize];
            let target = Target {
                result: worth(outcome, Player::First) * target.result,
                moves_left: self.moves as f32 - target.moves_left,
                ..*target
            };
            finished.push_image(&self.store, number, target, view);
        }
        stats.samples += self.store.targets.len() as u64;
    }
}
