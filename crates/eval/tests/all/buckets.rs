//! The buckets of the Pentago paper against a slow twin, written from its words on a board of characters.

use quintet_eval::pentago::{Buckets, Features35, Hash, weights35};
use quintet_eval::{Evaluate, Linear, Spec, Weights, evaluation_with};
use quintet_game::pentago::{Pentago, Position};
use quintet_game::{Game, Notation, Outcome, Player, Rng, SeedableRng};

type Cells = Vec<Vec<char>>;

fn cells(game: &Pentago, pos: &Position) -> Cells {
    let text = game.write_position(pos);
    text.split(' ').next().unwrap().split('/').map(|row| row.chars().collect()).collect()
}

/// 0 for empty, 1 for the first player, 2 for the second, times a prime to the power of the place in the quadrant.
fn slow_places(cells: &Cells) -> u64 {
    let mut sum = 0;
    for (quadrant, prime) in [2u64, 3, 5, 7].into_iter().enumerate() {
        let (top, left) = (3 * (quadrant / 2), 3 * (quadrant % 2));
        for k in 0..9 {
            let piece = ".xo".find(cells[top + k / 3][left + k % 3]).unwrap() as u64;
            sum += piece * prime.pow(k as u32);
        }
    }
    sum
}

/// Cubes of streaks of two and more on all lines of five cells and more.
fn slow_streaks(cells: &Cells, letter: char) -> u64 {
    let mut sum = 0;
    for (dx, dy) in [(1i32, 0i32), (0, 1), (1, 1), (-1, 1)] {
        let on = |x: i32, y: i32| (0..6).contains(&x) && (0..6).contains(&y);
        for start in (0..36).map(|i| (i % 6, i / 6)).filter(|(x, y)| !on(x - dx, y - dy)) {
            let along = (0..6).map(|k| (start.0 + k * dx, start.1 + k * dy)).filter(|(x, y)| on(*x, *y));
            let line: String = along.map(|(x, y)| cells[y as usize][x as usize]).collect();
            if line.len() >= 5 {
                sum += line
                    .split(|c| c != letter)
                    .map(|run| run.len() as u64)
                    .filter(|n| *n >= 2)
                    .map(|n| n.pow(3))
                    .sum::<u64>();
            }
        }
    }
    sum
}

fn positions(game: &Pentago, seed: u64, games: usize) -> Vec<Position> {
    let mut rng = Rng::seed_from_u64(seed);
    let mut found = Vec::new();
    for _ in 0..games {
        let mut pos = game.start();
        found.push(pos);
        while game.outcome(&pos).is_none() {
            let mv = game.random_move(&pos, &mut rng);
            game.play(&mut pos, mv);
            found.push(pos);
        }
    }
    found
}

#[test]
fn buckets_are_those_of_the_text() {
    let mut ends = [0; 3];
    for game in [Pentago::standard(), Pentago::turn_first()] {
        for count in [3, 100, 1500, 10_000] {
            for shifted in [true, false] {
                let [places, streaks] =
                    [Hash::Places, Hash::Streaks].map(|hash| Buckets::new(hash, count, shifted).unwrap());
                for pos in positions(&game, 5, 20) {
                    let cells = cells(&game, &pos);
                    let by_streaks = slow_streaks(&cells, 'x') + 5 * slow_streaks(&cells, 'o');
                    for (buckets, hash) in [(&places, slow_places(&cells)), (&streaks, by_streaks)] {
                        let live = (hash % (count as u64 - 2)) as usize + if shifted { 2 } else { 0 };
                        let wanted = match game.outcome(&pos) {
                            Some(Outcome::Win(Player::First)) => 0,
                            Some(Outcome::Win(Player::Second)) => 1,
                            Some(Outcome::Draw) | None => live,
                        };
                        assert_eq!(buckets.of(&game, &pos), wanted, "{}", game.write_position(&pos));
                        ends[wanted.min(2)] += 1;
                    }
                }
            }
        }
    }
    assert!(ends.iter().all(|seen| *seen > 100), "every case comes up: {ends:?}");
}

/// The learned hash keeps the order of the evaluation for the player who has moved, and uses the first and the last bucket.
#[test]
fn the_learned_hash_keeps_the_order() {
    let game = Pentago::turn_first();
    let model = Linear::new::<Pentago>(Features35::new(), weights35().to_vec());
    let hash = Hash::numbered(3, Some(&weights35())).unwrap();
    let buckets = Buckets::new(hash, 200, true).unwrap();
    let mut found: Vec<(f64, usize)> = positions(&game, 8, 60)
        .into_iter()
        .filter(|pos| game.outcome(pos).is_none())
        .map(|pos| (model.value(&game, &pos, game.to_move(&pos).other()), buckets.of(&game, &pos)))
        .collect();
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    assert!(found.windows(2).all(|pair| pair[0].1 <= pair[1].1));
    assert!(found.iter().all(|(_, bucket)| (2..200).contains(bucket)));
    let middle = found.iter().filter(|(value, _)| value.abs() < 20.0);
    assert!(middle.map(|(_, bucket)| *bucket).all(|bucket| (51..=151).contains(&bucket)));
    assert!(found[0].1 < 20 && found.last().unwrap().1 > 150, "{:?} to {:?}", found[0], found.last());
}

fn some_weights(hash: f64, first: Vec<f64>, second: Vec<f64>) -> Weights {
    let mut weights = Weights::linear("pentago-mdp", [("hash", hash), ("shifted", 1.0)]);
    weights.values.insert("first".into(), first);
    weights.values.insert("second".into(), second);
    weights
}

#[test]
fn each_seat_has_values_of_its_own() {
    let game = Pentago::turn_first();
    let spec = Spec::parse("pentago-mdp").unwrap();
    let lists = || ((0..50).map(f64::from).collect(), (0..50).map(|n| f64::from(-n)).collect());
    let (first, second) = lists();
    let eval = evaluation_with(&game, &spec, some_weights(1.0, first, second)).unwrap();
    for pos in positions(&game, 3, 10) {
        let bucket = Buckets::new(Hash::Places, 50, true).unwrap().of(&game, &pos) as f64;
        let terms = eval.terms(&game, &pos, Player::Second);
        assert_eq!((terms.len(), terms[0].value * terms[0].weight), (1, -bucket));
        assert_eq!(eval.value(&game, &pos, Player::First), bucket);
        assert_eq!(eval.value(&game, &pos, Player::Second), -bucket);
    }
    let refused = |weights: Weights| evaluation_with(&game, &spec, weights).err().unwrap().to_string();
    let (first, second) = lists();
    assert!(refused(some_weights(4.0, first.clone(), second.clone())).contains("4 is not a hash"));
    assert!(refused(some_weights(3.0, first.clone(), second.clone())).contains("needs the weights"));
    assert!(refused(some_weights(1.0, first, second[1..].to_vec())).contains("different lengths"));
    assert!(refused(some_weights(1.0, vec![0.0, 1.0], vec![0.0, 1.0])).contains("2 is not a possible number"));
    assert!(refused(Weights::linear("pentago-mdp", [("hash", 1.0)])).contains("first"));
}
