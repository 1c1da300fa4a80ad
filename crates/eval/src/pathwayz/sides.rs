//! What is measured of each side, shared by all feature sets.

use quintet_game::Player;
use quintet_game::pathwayz::{Pathwayz, Position};

use super::Mode;
use super::bits::{Counts, STRIDE, columns};
use super::paths::{Groups, Growth, View, longest};

/// A board with the numbers of empty neighbours.
pub(super) struct Board {
    pieces: [u128; 2],
    regular: u128,
    empty: u128,
    empties: Counts,
    width: usize,
    /// The first and the last row.
    edges: u128,
}

impl Board {
    pub(super) fn new(game: &Pathwayz, pos: &Position) -> Board {
        let pieces = Player::BOTH.map(|player| pos.pieces(player));
        let all = pieces[0] | pieces[1];
        let empty = game.squares() & !all;
        let row = (1 << STRIDE) - 1;
        Board {
            pieces,
            regular: all & !pos.permanent(),
            empty,
            empties: Counts::neighbours(empty),
            width: game.columns(),
            edges: row | row << (STRIDE * (game.rows() - 1)),
        }
    }

    fn view(&self, player: Player, single: u128) -> View {
        let [mine, yours] = [player, player.other()].map(|player| self.pieces[player.index()]);
        View { mine, yours, empty: self.empty, regular: self.regular, single, width: self.width }
    }

    /// The permanents of one colour, and its regulars without an empty neighbour.
    fn perm(&self, mine: u128) -> u128 {
        mine & (!self.regular | self.empties.equal(0))
    }
}

/// What the nine features need of one side.
#[derive(Clone, Copy)]
pub(super) struct Few {
    pub longest: u32,
    pub perm: u32,
    pub total: u32,
    /// Regulars with one and with two empty neighbours.
    pub empty: [u32; 2],
}

impl Few {
    pub(super) fn of(board: &Board, player: Player) -> Few {
        let mine = board.pieces[player.index()];
        let regular = mine & board.regular;
        Few {
            longest: longest(mine),
            perm: board.perm(mine).count_ones(),
            total: mine.count_ones(),
            empty: [1, 2].map(|n| (regular & board.empties.equal(n)).count_ones()),
        }
    }
}

/// What the larger sets need of one side.
#[derive(Clone, Copy)]
pub(super) struct Side {
    pub longest: u32,
    pub growth: Growth,
    pub perm_path: u32,
    pub perm: u32,
    pub total: u32,
    pub cols: u32,
    /// Regulars with 1 to 8 empty neighbours.
    pub empty: [u32; 8],
    /// Empty squares where a permanent would turn 1, 2, 3, and 4 or more pieces more to this side than away from it.
    pub flips: [u32; 4],
    /// Blocked at the left and at the right.
    pub blocked: [bool; 2],
    width: u32,
}

impl Side {
    /// `near` says how many regular pieces are next to each square, of this side and of the other.
    fn of(board: &Board, player: Player, mode: Mode, near: [&Counts; 2]) -> Side {
        let [lost, gained] = near;
        let view = board.view(player, board.empty & lost.equal(0) & gained.equal(1));
        let groups = Groups::of(view.mine);
        let growth = view.growth(&groups, mode);
        let (width, longest_path) = (board.width as u32, groups.longest);
        let regular = view.mine & board.regular;
        let perm = board.perm(view.mine);
        let mut blocked = [0, 1].map(|side| growth.flex[side] == 0 && !growth.home[side]);
        if !(2..width).contains(&longest_path) {
            blocked = [false; 2];
        } else if mode == Mode::AsProgrammed && blocked[0] {
            blocked[1] = false;
        }
        Side {
            longest: longest_path,
            growth,
            perm_path: longest(perm),
            perm: perm.count_ones(),
            total: view.mine.count_ones(),
            cols: columns(view.mine).count_ones(),
            empty: std::array::from_fn(|n| (regular & board.empties.equal(n + 1)).count_ones()),
            flips: flips(board.empty, gained, lost),
            blocked,
            width,
        }
    }

    /// Both sides, the one of `view` first.
    pub(super) fn both(board: &Board, view: Player, mode: Mode) -> [Side; 2] {
        let players = [view, view.other()];
        let near = players.map(|player| Counts::neighbours(board.pieces[player.index()] & board.regular));
        [0, 1].map(|i| Side::of(board, players[i], mode, [&near[i], &near[1 - i]]))
    }

    pub(super) fn flex(&self) -> u32 {
        self.growth.flex[0] + self.growth.flex[1]
    }

    pub(super) fn one_turn_away(&self) -> bool {
        self.growth.future == self.width
    }

    pub(super) fn turns_away(&self) -> u32 {
        self.width - self.growth.future + 2 * self.blocked.iter().map(|blocked| u32::from(*blocked)).sum::<u32>()
    }
}

/// The number of empty squares where a permanent gains 1, 2, 3, and 4 or more pieces more than it loses.
fn flips(empty: u128, gained: &Counts, lost: &Counts) -> [u32; 4] {
    let (difference, negative) = gained.minus(lost);
    let squares = empty & !negative;
    let few = |n| (squares & difference.equal(n)).count_ones();
    [few(1), few(2), few(3), (squares & difference.four_or_more()).count_ones()]
}

/// What the 440 set needs in addition.
#[derive(Clone, Copy)]
pub(super) struct More {
    pub even_path: u32,
    pub safe_path: u32,
    /// Regulars with 1, 2, 3, and 4 or more empty neighbours, off the first and last row and on them.
    pub inner: [u32; 4],
    pub edge: [u32; 4],
}

impl More {
    pub(super) fn of(board: &Board, player: Player) -> More {
        let mine = board.pieces[player.index()];
        let even = board.perm(mine) | mine & board.empties.equal(2);
        let safe = even | mine & board.empties.four_or_more();
        let regular = mine & board.regular;
        let count = |set: u128| {
            let few = |n| (set & board.empties.equal(n)).count_ones();
            [few(1), few(2), few(3), (set & board.empties.four_or_more()).count_ones()]
        };
        More {
            even_path: longest(even),
            safe_path: longest(safe),
            inner: count(regular & !board.edges),
            edge: count(regular & board.edges),
        }
    }
}
