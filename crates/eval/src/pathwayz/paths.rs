//! Groups, their widths, and the moves that widen the widest one.

use super::Mode;
use super::bits::{STRIDE, columns, grown, joined, span, squares};
use super::programmed;

/// The columns spanned by the widest group of `set`; 0 if it is empty.
pub(super) fn longest(set: u128) -> u32 {
    let mut rest = set;
    let mut best = 0;
    // A group that touches no more columns than the best so far cannot be wider.
    while rest != 0 && columns(rest).count_ones() > best {
        let group = joined(rest & rest.wrapping_neg(), rest);
        rest ^= group;
        best = best.max(span(columns(group)));
    }
    best
}

/// The squares of the widest groups in their outer columns.
#[derive(Clone, Copy, Default)]
pub(super) struct Ends {
    /// Those in the leftmost and the rightmost column.
    pub sides: [u128; 2],
    /// Does such an end lie on the board's first, last column?
    pub home: [bool; 2],
}

/// The most groups that fit on a board: four rows of six.
const MOST_GROUPS: usize = 24;

/// The groups of one colour.
pub(super) struct Groups {
    /// Each group with its columns.
    list: [(u128, u32); MOST_GROUPS],
    count: usize,
    /// The columns spanned by the widest group.
    pub longest: u32,
}

impl Groups {
    pub(super) fn of(set: u128) -> Groups {
        let mut groups = Groups { list: [(0, 0); MOST_GROUPS], count: 0, longest: 0 };
        let mut rest = set;
        while rest != 0 {
            let group = joined(rest & rest.wrapping_neg(), rest);
            rest ^= group;
            let columns = columns(group);
            groups.list[groups.count] = (group, columns);
            groups.count += 1;
            groups.longest = groups.longest.max(span(columns));
        }
        groups
    }

    fn all(&self) -> &[(u128, u32)] {
        &self.list[..self.count]
    }

    /// The ends as in the paper: groups of equal width are pooled.
    fn ends(&self, width: usize) -> Ends {
        let mut ends = Ends::default();
        for &(group, columns) in self.all().iter().filter(|(_, columns)| span(*columns) == self.longest) {
            let outer = [columns.trailing_zeros(), 31 - columns.leading_zeros()];
            for (side, x) in outer.into_iter().enumerate() {
                ends.sides[side] |= group & FIRST_COLUMN << x;
            }
            ends.home[0] |= outer[0] == 0;
            ends.home[1] |= outer[1] as usize == width - 1;
        }
        ends
    }
}

/// The eight rows of the first column.
const FIRST_COLUMN: u128 = {
    let mut set = 0;
    let mut y = 0;
    while y < 8 {
        set |= 1 << (STRIDE * y);
        y += 1;
    }
    set
};

/// For every square, the first and the last column that a move there can reach; stored as sets, so that all
/// squares are compared at once.
struct Reach {
    /// The squares that reach this column or one further left.
    from: [u128; MOST_COLUMNS],
    /// The squares that reach this column or one further right.
    to: [u128; MOST_COLUMNS],
}

const MOST_COLUMNS: usize = 12;

impl Reach {
    /// From the squares that reach each column by themselves, and those that reach all columns of each group.
    fn new(own: [u128; MOST_COLUMNS], groups: &Groups, near: impl Fn(u128) -> u128) -> Reach {
        let mut reach = Reach { from: own, to: own };
        for &(group, columns) in groups.all() {
            let near = near(group);
            reach.from[columns.trailing_zeros() as usize] |= near;
            reach.to[31 - columns.leading_zeros() as usize] |= near;
        }
        for x in 1..MOST_COLUMNS {
            reach.from[x] |= reach.from[x - 1];
            reach.to[MOST_COLUMNS - 1 - x] |= reach.to[MOST_COLUMNS - x];
        }
        reach
    }

    /// The squares that reach at least `width` columns, from the first to the last.
    fn at_least(&self, width: u32) -> u128 {
        let to = self.to.get(width as usize - 1..).unwrap_or_default();
        self.from.iter().zip(to).fold(0, |set, (from, to)| set | from & to)
    }
}

/// What one more move can do for the longest path.
#[derive(Clone, Copy, Default)]
pub(super) struct Growth {
    /// The width after the best such move; the current one if there is none.
    pub future: u32,
    /// The moves that lengthen the path, found only at its left ends and only at its right ends.
    pub flex: [u32; 2],
    /// How many of all these gain one column, two, and three or more.
    pub gains: [u32; 3],
    /// Is an end on the board's first, last column?
    pub home: [bool; 2],
}

impl Growth {
    /// Counts one move.
    fn count(&mut self, longest: u32, width: u32, side: usize) {
        if width > longest {
            self.flex[side] += 1;
            self.gains[(width - longest).min(3) as usize - 1] += 1;
            self.future = self.future.max(width);
        }
    }

    /// Counts a move on each of the squares, those of the left and those of the right ends.
    fn count_all(&mut self, longest: u32, reach: &Reach, sides: [u128; 2]) {
        let all = sides[0] | sides[1];
        let mut wider = reach.at_least(longest + 1) & all;
        for (flex, side) in self.flex.iter_mut().zip(sides) {
            *flex += (wider & side).count_ones();
        }
        let mut width = longest + 1;
        while wider != 0 {
            self.future = self.future.max(width);
            let next = reach.at_least(width + 1) & wider;
            self.gains[(width - longest).min(3) as usize - 1] += (wider & !next).count_ones();
            (wider, width) = (next, width + 1);
        }
    }
}

/// The board as one side sees it.
#[derive(Clone, Copy)]
pub(super) struct View {
    pub mine: u128,
    pub yours: u128,
    pub empty: u128,
    /// The pieces of both colours that can be turned.
    pub regular: u128,
    /// The empty squares with exactly one regular neighbour, the opponent's.
    pub single: u128,
    /// The columns of the board.
    pub width: usize,
}

impl View {
    /// My pieces after a permanent on `square`. Its own colour is the opponent's, so it is not among them.
    fn turned_by(&self, square: u128) -> u128 {
        self.mine ^ grown(square) & self.regular
    }

    pub(super) fn growth(&self, groups: &Groups, mode: Mode) -> Growth {
        let longest = groups.longest;
        match mode {
            Mode::Printed => {
                let ends = groups.ends(self.width);
                let mut growth = self.regulars(groups, &ends);
                self.permanents(groups, &ends, &mut growth);
                growth
            }
            Mode::AsProgrammed => {
                let order = programmed::Order::walk(self.mine, self.width);
                let mut growth = self.regulars(groups, &order.ends(self.width));
                order.flips(self.yours & self.regular, |flip, side, done| {
                    let places = grown(flip) & self.empty & !done;
                    for at in squares(places) {
                        growth.count(longest, span(columns(joined(flip, self.turned_by(at)))), side);
                    }
                    places
                });
                growth
            }
        }
    }

    /// Regular pieces next to an end. Those found on the left are not counted again on the right.
    fn regulars(&self, groups: &Groups, ends: &Ends) -> Growth {
        let mut growth = Growth { future: groups.longest, home: ends.home, ..Growth::default() };
        let [left, right] = ends.sides.map(|side| grown(side) & self.empty);
        growth.count_all(groups.longest, &self.reach_of_regulars(groups), [left, right & !left]);
        growth
    }

    /// Permanents next to a regular opponent piece that touches an end.
    fn permanents(&self, groups: &Groups, ends: &Ends, growth: &mut Growth) {
        let flips = ends.sides.map(|side| grown(side) & self.yours & self.regular);
        let [left, right] = flips.map(|flips| grown(flips) & self.empty);
        if left | right == 0 {
            return;
        }
        let (longest, reach) = (groups.longest, self.reach_of_permanents(groups));
        // Where it turns one piece, the group is that piece with what it touches; elsewhere this is only a bound.
        growth.count_all(longest, &reach, [left & self.single, right & self.single & !left]);
        for at in squares((left | right) & !self.single & reach.at_least(longest + 1)) {
            let (width, side) = self.best_turn(at, flips, groups);
            growth.count(longest, width, side);
        }
    }

    /// What a new piece of mine on an empty square is connected to.
    fn reach_of_regulars(&self, groups: &Groups) -> Reach {
        Reach::new(std::array::from_fn(|x| FIRST_COLUMN << x), groups, grown)
    }

    /// The pieces that a permanent would turn to my colour, and what they touch.
    fn reach_of_permanents(&self, groups: &Groups) -> Reach {
        let turnable = self.yours & self.regular;
        let tall = turnable | turnable << STRIDE | turnable >> STRIDE;
        let own = std::array::from_fn(|x| {
            let column = tall & FIRST_COLUMN << x;
            column | column << 1 | column >> 1
        });
        Reach::new(own, groups, |group| grown(grown(group) & turnable))
    }

    /// The largest width of a group that holds one of `flips` after a permanent on `square`, and the side on which it is found:
    /// the left if some group at a left end is wider than the current widest.
    fn best_turn(&self, square: u128, flips: [u128; 2], groups: &Groups) -> (u32, usize) {
        let turned = self.turned_by(square);
        // Groups that lose no piece need not be filled piece by piece.
        let lost = self.mine & !turned;
        let whole = |near: u128| {
            let touched = groups.all().iter().filter(|(group, _)| group & near != 0 && group & lost == 0);
            touched.fold(0, |set, (group, _)| set | group)
        };
        let mut seeds = (flips[0] | flips[1]) & grown(square);
        let (mut best, mut side) = (0, 1);
        while seeds != 0 {
            let seed = seeds & seeds.wrapping_neg();
            let group = joined(seed | whole(grown(seed)), turned);
            let width = span(columns(group));
            if width > groups.longest && group & seeds & flips[0] != 0 {
                side = 0;
            }
            best = best.max(width);
            seeds &= !group;
        }
        (best, side)
    }
}
