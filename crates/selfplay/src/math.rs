//! Functions that are quick, and the same on every machine.

use quintet_game::Rng;
use rand_core::Rng as _;

/// e to the power of `x`, for `x` up to 0, with a relative error below 1e-5.
#[inline]
pub fn exp(x: f32) -> f32 {
    // 2 to the power of whole + rest, with the rest from -1/2 to 1/2.
    let power = (x * std::f32::consts::LOG2_E).max(-126.0);
    let whole = (power + 12_582_912.0) - 12_582_912.0;
    let rest = power - whole;
    let terms =
        [1.539_9e-4, 1.333_36e-3, 9.618_13e-3, 5.550_41e-2, std::f32::consts::LN_2 * std::f32::consts::LN_2 / 2.0];
    let tail = terms.into_iter().fold(0.0, |sum, term| sum * rest + term);
    let part = (tail * rest + std::f32::consts::LN_2) * rest + 1.0;
    part * f32::from_bits(((whole as i32 + 127) as u32) << 23)
}

/// The natural logarithm of a positive number, with an error below 1e-5.
#[inline]
pub fn ln(x: f32) -> f32 {
    let bits = x.to_bits();
    // The number is m * 2^power, with m from sqrt(1/2) to sqrt(2).
    let power = (bits.wrapping_sub(0x3f35_04f3) as i32) >> 23;
    let m = f32::from_bits(bits.wrapping_sub((power << 23) as u32));
    // ln m = 2 (t + t^3/3 + t^5/5 + ...) with t = (m - 1) / (m + 1).
    let t = (m - 1.0) / (m + 1.0);
    let t2 = t * t;
    let series = ((t2 / 7.0 + 0.2) * t2 + 1.0 / 3.0) * t2 + 1.0;
    power as f32 * std::f32::consts::LN_2 + 2.0 * t * series
}

/// A number above 0 and below 1.
#[inline]
pub fn unit(rng: &mut Rng) -> f32 {
    ((rng.next_u32() >> 9) as f32 + 0.5) / (1 << 23) as f32
}

/// Draws from the gamma distribution (Marsaglia and Tsang).
pub fn gamma(alpha: f32, rng: &mut Rng) -> f32 {
    if alpha < 1.0 {
        // A draw for alpha + 1 times u^(1/alpha).
        return gamma(alpha + 1.0, rng) * exp(ln(unit(rng)) / alpha);
    }
    let d = alpha - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = normal(rng);
        let v = (1.0 + c * x) * (1.0 + c * x) * (1.0 + c * x);
        if v > 0.0 && ln(unit(rng)) < 0.5 * x * x + d - d * v + d * ln(v) {
            return d * v;
        }
    }
}

/// Draws from the standard normal distribution (the polar method).
fn normal(rng: &mut Rng) -> f32 {
    loop {
        let (x, y) = (2.0 * unit(rng) - 1.0, 2.0 * unit(rng) - 1.0);
        let square = x * x + y * y;
        if square > 0.0 && square < 1.0 {
            return x * (-2.0 * ln(square) / square).sqrt();
        }
    }
}

/// How many sums run side by side.
const LANES: usize = 8;

/// The sum, in a fixed order that the compiler can do several lanes at once.
#[inline]
pub fn sum(numbers: &[f32]) -> f32 {
    let mut lanes = [0.0; LANES];
    let chunks = numbers.chunks_exact(LANES);
    let rest: f32 = chunks.remainder().iter().sum();
    for chunk in chunks {
        for (lane, number) in lanes.iter_mut().zip(chunk) {
            *lane += number;
        }
    }
    rest + lanes.iter().sum::<f32>()
}

/// The largest of some numbers; the smallest possible one if there is none.
#[inline]
pub fn max(numbers: &[f32]) -> f32 {
    let larger = |a: f32, b: f32| if a > b { a } else { b };
    let mut lanes = [f32::MIN; LANES];
    let chunks = numbers.chunks_exact(LANES);
    let rest = chunks.remainder().iter().copied().fold(f32::MIN, larger);
    for chunk in chunks {
        for (lane, number) in lanes.iter_mut().zip(chunk) {
            *lane = larger(*lane, *number);
        }
    }
    lanes.into_iter().fold(rest, larger)
}

#[cfg(test)]
mod tests {
    use super::*;
    use quintet_game::SeedableRng;

    #[test]
    fn exp_and_ln_are_close() {
        for i in 0..100_000 {
            let x = -87.0 * i as f32 / 100_000.0;
            let wanted = f64::from(x).exp();
            assert!((f64::from(exp(x)) - wanted).abs() < 1e-5 * wanted, "{x}");
            let x = 1e-7 + i as f32 / 10_000.0;
            assert!((f64::from(ln(x)) - f64::from(x).ln()).abs() < 1e-5, "{x}");
        }
        assert_eq!(exp(0.0), 1.0);
        assert!(exp(-1e30) < 1e-37);
    }

    #[test]
    fn gamma_has_its_mean_and_variance() {
        let mut rng = Rng::seed_from_u64(5);
        for alpha in [0.3, 1.0, 4.0] {
            let draws: Vec<f64> = (0..40_000).map(|_| gamma(alpha, &mut rng).into()).collect();
            let mean = draws.iter().sum::<f64>() / draws.len() as f64;
            let variance = draws.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / draws.len() as f64;
            assert!((mean / f64::from(alpha) - 1.0).abs() < 0.05 && (variance / f64::from(alpha) - 1.0).abs() < 0.1);
        }
    }

    #[test]
    fn sums_and_maxima_take_every_number() {
        for count in 0..40u8 {
            let numbers: Vec<f32> = (0..count).map(f32::from).collect();
            assert_eq!(sum(&numbers), f32::from(count) * (f32::from(count) - 1.0) / 2.0);
            assert_eq!(max(&numbers), if count == 0 { f32::MIN } else { f32::from(count) - 1.0 });
        }
    }
}
