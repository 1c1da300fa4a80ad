//! The one kernel of all layers: products of bytes, summed up as 32-bit integers.
//!
//! Activations are 0 to 127 and weights -127 to 127, so that two products fit into 16 bits and no instruction saturates: every
//! instruction set gives the same sums, bit for bit.

/// Outputs come in blocks of this many.
pub(super) const BLOCK: usize = 16;

/// Inputs come in groups of this many.
pub(super) const GROUP: usize = 4;

/// The instructions that a kernel uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instructions {
    /// Plain code, for every machine.
    Portable,
    /// AVX2.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// The dot products of AVX-VNNI, on 256 bits.
    #[cfg(target_arch = "x86_64")]
    AvxVnni,
    /// The dot products of AVX-512 VNNI.
    #[cfg(target_arch = "x86_64")]
    Avx512,
    /// The vectors of WebAssembly.
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128,
}

impl Instructions {
    /// Those that this machine has, the fastest last.
    ///
    /// ```
    /// use quintet_eval::net::Instructions;
    /// assert_eq!(Instructions::available()[0], Instructions::Portable);
    /// ```
    #[must_use]
    pub fn available() -> Vec<Instructions> {
        let mut found = Vec::from([Instructions::Portable]);
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        found.push(Instructions::Simd128);
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") {
                found.push(Instructions::Avx2);
            }
            if is_x86_feature_detected!("avxvnni") {
                found.push(Instructions::AvxVnni);
            }
            if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vnni") {
                found.push(Instructions::Avx512);
            }
        }
        found
    }

    /// Their name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Instructions::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Instructions::AvxVnni => "AVX-VNNI",
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => "AVX-512 VNNI",
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Instructions::Simd128 => "simd128",
        }
    }

    /// The fastest that this machine has.
    #[must_use]
    pub fn best() -> Instructions {
        Instructions::available().pop().unwrap_or(Instructions::Portable)
    }
}

/// The weights of a layer in the order in which kernels read them: block of outputs, tap, group of inputs, output, input.
#[derive(Clone, Debug)]
pub(super) struct Packed {
    weights: Vec<i8>,
    pub taps: usize,
    pub inputs: usize,
    pub outputs: usize,
}

impl Packed {
    /// Packs weights that are given by tap, input and output. Inputs and outputs are filled up with zeros to whole groups and blocks.
    pub fn new(weights: &[i8], taps: usize, inputs: usize, outputs: usize) -> Packed {
        assert_eq!(weights.len(), taps * inputs * outputs, "the shape of the weights");
        let (all_inputs, all_outputs) = (inputs.next_multiple_of(GROUP), outputs.next_multiple_of(BLOCK));
        let mut packed = Packed {
            weights: vec![0; taps * all_inputs * all_outputs],
            taps,
            inputs: all_inputs,
            outputs: all_outputs,
        };
        for tap in 0..taps {
            for input in 0..inputs {
                for output in 0..outputs {
                    let group = (output / BLOCK * taps + tap) * (all_inputs / GROUP) + input / GROUP;
                    let at = (group * BLOCK + output % BLOCK) * GROUP + input % GROUP;
                    packed.weights[at] = weights[(tap * inputs + input) * outputs + output];
                }
            }
        }
        packed
    }

    /// For each cell and output, the sum over taps and inputs of weight times activation.
    ///
    /// `activations` has `inputs` bytes per place; `cells` are the places of the cells whose sums are computed, and the tap
    /// number `t` of a cell is `reach[t]` places away from it. `sums` has `outputs` numbers per cell.
    pub fn sums(&self, with: Instructions, activations: &[u8], cells: &[u32], reach: &[i32], sums: &mut [i32]) {
        assert_eq!(reach.len(), self.taps, "one reach per tap");
        assert_eq!(sums.len(), cells.len() * self.outputs, "one sum per cell and output");
        let places = i64::try_from(activations.len() / self.inputs).expect("a board is small");
        let nearest = i64::from(reach.iter().copied().min().unwrap_or(0));
        let farthest = i64::from(reach.iter().copied().max().unwrap_or(0));
        assert!(
            cells.iter().all(|&cell| i64::from(cell) + nearest >= 0 && i64::from(cell) + farthest < places),
            "every tap of every cell lies on the padded board"
        );
        match with {
            Instructions::Portable => self.portable(activations, cells, reach, sums),
            // Safety: the instructions were found on this machine, and all places that are read were checked above.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => unsafe { x86::avx2(self, activations, cells, reach, sums) },
            #[cfg(target_arch = "x86_64")]
            Instructions::AvxVnni => unsafe { x86::avx_vnni(self, activations, cells, reach, sums) },
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => unsafe { x86::avx512(self, activations, cells, reach, sums) },
            // Safety: all places that are read were checked above.
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Instructions::Simd128 => unsafe { wasm::simd128(self, activations, cells, reach, sums) },
        }
    }

    fn portable(&self, activations: &[u8], cells: &[u32], reach: &[i32], sums: &mut [i32]) {
        let block_len = self.taps * self.inputs * BLOCK;
        for (&cell, sums) in cells.iter().zip(sums.chunks_exact_mut(self.outputs)) {
            for (block, sums) in self.weights.chunks_exact(block_len).zip(sums.chunks_exact_mut(BLOCK)) {
                let mut total = [0i32; BLOCK];
                for (weights, &reach) in block.chunks_exact(self.inputs * BLOCK).zip(reach) {
                    let place = (i64::from(cell) + i64::from(reach)) as usize * self.inputs;
                    let groups = activations[place..place + self.inputs].chunks_exact(GROUP);
                    for (weights, inputs) in weights.chunks_exact(GROUP * BLOCK).zip(groups) {
                        for (total, weights) in total.iter_mut().zip(weights.chunks_exact(GROUP)) {
                            for (weight, input) in weights.iter().zip(inputs) {
                                *total += i32::from(*weight) * i32::from(*input);
                            }
                        }
                    }
                }
                sums.copy_from_slice(&total);
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{
        __m256i, _mm256_add_epi32, _mm256_dpbusd_avx_epi32, _mm256_loadu_si256, _mm256_madd_epi16,
        _mm256_maddubs_epi16, _mm256_set1_epi16, _mm256_set1_epi32, _mm256_setzero_si256, _mm256_storeu_si256,
        _mm512_dpbusd_epi32, _mm512_loadu_si512, _mm512_set1_epi32, _mm512_setzero_si512, _mm512_storeu_si512,
    };

    use super::{BLOCK, GROUP, Packed};

    /// One function for a tile of cells and blocks on each instruction set, and one that covers all cells by tiles.
    ///
    /// Safety, for all of them: the machine has the instructions, every tap of every cell lies within `activations`, and `sums`
    /// has `outputs` numbers per cell.
    macro_rules! kernel {
        ($name:ident, $features:literal, $half:expr, $zero:ident, $load:ident, $spread:ident, $store:ident, $wide:expr, $dot:expr) => {
            #[target_feature(enable = $features)]
            pub(super) unsafe fn $name(
                packed: &Packed,
                activations: &[u8],
                cells: &[u32],
                reach: &[i32],
                sums: &mut [i32],
            ) {
                /// Vectors per block.
                const PARTS: usize = $half;
                /// Cells per tile.
                const TILE: usize = $wide;
                let Packed { weights, taps, inputs, outputs } = packed;
                let (taps, inputs, outputs) = (*taps, *inputs, *outputs);
                let groups = inputs / GROUP;

                #[inline]
                #[target_feature(enable = $features)]
                #[allow(clippy::too_many_arguments)]
                unsafe fn tile<const CELLS: usize>(
                    weights: *const i8,
                    activations: *const u8,
                    places: &[u32; CELLS],
                    reach: &[i32],
                    (inputs, groups, outputs): (usize, usize, usize),
                    sums: *mut i32,
                ) {
                    unsafe {
                        let mut total = [[$zero(); PARTS]; CELLS];
                        let mut weights = weights;
                        for &reach in reach {
                            let mut from = [activations; CELLS];
                            for cell in 0..CELLS {
                                from[cell] =
                                    activations.offset((places[cell] as isize + reach as isize) * inputs as isize);
                            }
                            for group in 0..groups {
                                let mut rows = [$zero(); PARTS];
                                for part in 0..PARTS {
                                    rows[part] = $load(weights.add(part * (BLOCK / PARTS) * GROUP).cast());
                                }
                                for cell in 0..CELLS {
                                    let input = $spread(from[cell].add(group * GROUP).cast::<i32>().read_unaligned());
                                    for part in 0..PARTS {
                                        total[cell][part] = $dot(total[cell][part], input, rows[part]);
                                    }
                                }
                                weights = weights.add(BLOCK * GROUP);
                            }
                        }
                        for cell in 0..CELLS {
                            for part in 0..PARTS {
                                $store(sums.add(cell * outputs + part * (BLOCK / PARTS)).cast(), total[cell][part]);
                            }
                        }
                    }
                }

                let shape = (inputs, groups, outputs);
                for block in 0..outputs / BLOCK {
                    unsafe {
                        let weights = weights.as_ptr().add(block * taps * inputs * BLOCK);
                        let sums = sums.as_mut_ptr().add(block * BLOCK);
                        let (tiles, rest) = cells.as_chunks::<TILE>();
                        for (number, places) in tiles.iter().enumerate() {
                            tile(
                                weights,
                                activations.as_ptr(),
                                places,
                                reach,
                                shape,
                                sums.add(number * TILE * outputs),
                            );
                        }
                        for (number, place) in rest.iter().enumerate() {
                            let sums = sums.add((tiles.len() * TILE + number) * outputs);
                            tile(weights, activations.as_ptr(), &[*place], reach, shape, sums);
                        }
                    }
                }
            }
        };
    }

    /// AVX2 has no dot product of bytes: products in pairs, then sums of pairs. Neither saturates.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn dot_avx2(total: __m256i, input: __m256i, row: __m256i) -> __m256i {
        let pairs = _mm256_maddubs_epi16(input, row);
        _mm256_add_epi32(total, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)))
    }

    kernel!(
        avx2,
        "avx2",
        2,
        _mm256_setzero_si256,
        _mm256_loadu_si256,
        _mm256_set1_epi32,
        _mm256_storeu_si256,
        4,
        dot_avx2
    );
    kernel!(
        avx_vnni,
        "avx2,avxvnni",
        2,
        _mm256_setzero_si256,
        _mm256_loadu_si256,
        _mm256_set1_epi32,
        _mm256_storeu_si256,
        6,
        _mm256_dpbusd_avx_epi32
    );
    kernel!(
        avx512,
        "avx512f,avx512vnni",
        1,
        _mm512_setzero_si512,
        _mm512_loadu_si512,
        _mm512_set1_epi32,
        _mm512_storeu_si512,
        12,
        _mm512_dpbusd_epi32
    );
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm {
    use std::arch::wasm32::{
        i16x8_load_extend_i8x8, i32x4_add, i32x4_dot_i16x8, i32x4_shuffle, i32x4_splat, u16x8_extend_low_u8x16, v128,
        v128_load32_splat, v128_store,
    };

    use super::{BLOCK, GROUP, Packed};

    /// Outputs at once: as many as leave room for two cells in sixteen registers.
    const HALF: usize = BLOCK / 2;
    /// Vectors of them: a dot product of 16-bit numbers adds up two of four inputs, so a vector holds two outputs.
    const PARTS: usize = HALF / 2;
    /// Cells per tile.
    const TILE: usize = 2;

    /// Safety: every tap of every cell lies within `activations`, and `sums` has `outputs` numbers per cell.
    pub(super) unsafe fn simd128(packed: &Packed, activations: &[u8], cells: &[u32], reach: &[i32], sums: &mut [i32]) {
        let Packed { weights, taps, inputs, outputs } = packed;
        let shape = (*inputs, *outputs);
        let (tiles, rest) = cells.as_chunks::<TILE>();
        for half in 0..outputs / HALF {
            // Safety: as above; a block of weights has `taps * inputs` rows of `BLOCK` bytes.
            unsafe {
                let block = weights.as_ptr().add(half / 2 * taps * inputs * BLOCK);
                let weights = block.add(half % 2 * HALF * GROUP);
                let sums = sums.as_mut_ptr().add(half * HALF);
                for (number, places) in tiles.iter().enumerate() {
                    tile(weights, activations.as_ptr(), places, reach, shape, sums.add(number * TILE * outputs));
                }
                for (number, place) in rest.iter().enumerate() {
                    let sums = sums.add((tiles.len() * TILE + number) * outputs);
                    tile(weights, activations.as_ptr(), &[*place], reach, shape, sums);
                }
            }
        }
    }

    #[inline(always)]
    unsafe fn tile<const CELLS: usize>(
        mut weights: *const i8,
        activations: *const u8,
        places: &[u32; CELLS],
        reach: &[i32],
        (inputs, outputs): (usize, usize),
        sums: *mut i32,
    ) {
        // Safety: the caller's.
        unsafe {
            let mut total = [[i32x4_splat(0); PARTS]; CELLS];
            for &reach in reach {
                let place = |cell: usize| (places[cell] as isize + reach as isize) * inputs as isize;
                let from: [*const u8; CELLS] = std::array::from_fn(|cell| activations.offset(place(cell)));
                for group in 0..inputs / GROUP {
                    let rows: [v128; PARTS] = std::array::from_fn(|part| i16x8_load_extend_i8x8(weights.add(8 * part)));
                    for cell in 0..CELLS {
                        let input = u16x8_extend_low_u8x16(v128_load32_splat(from[cell].add(group * GROUP).cast()));
                        for part in 0..PARTS {
                            total[cell][part] = i32x4_add(total[cell][part], i32x4_dot_i16x8(rows[part], input));
                        }
                    }
                    weights = weights.add(BLOCK * GROUP);
                }
            }
            for (cell, total) in total.iter().enumerate() {
                for (pair, parts) in total.as_chunks::<2>().0.iter().enumerate() {
                    let even = i32x4_shuffle::<0, 2, 4, 6>(parts[0], parts[1]);
                    let odd = i32x4_shuffle::<1, 3, 5, 7>(parts[0], parts[1]);
                    v128_store(sums.add(cell * outputs + 4 * pair).cast(), i32x4_add(even, odd));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use quintet_game::{Rng, SeedableRng};
    use rand_core::Rng as _;

    use super::*;

    /// The sums by their definition, from weights that are not packed.
    fn by_definition(
        weights: &[i8],
        (inputs, outputs): (usize, usize),
        activations: &[u8],
        stride: usize,
        cells: &[u32],
        reach: &[i32],
    ) -> Vec<i32> {
        let mut sums = Vec::new();
        for &cell in cells {
            for output in 0..outputs {
                let products = reach.iter().enumerate().flat_map(|(tap, reach)| {
                    (0..inputs).map(move |input| {
                        let place = (i64::from(cell) + i64::from(*reach)) as usize;
                        let weight = weights[(tap * inputs + input) * outputs + output];
                        i32::from(weight) * i32::from(activations[place * stride + input])
                    })
                });
                sums.push(products.sum());
            }
        }
        sums
    }

    #[test]
    fn all_instructions_give_the_sums_of_the_definition() {
        let mut rng = Rng::seed_from_u64(1);
        for (taps, inputs, outputs, cells) in
            [(9, 32, 32, 144), (9, 16, 64, 96), (1, 64, 32, 1), (25, 22, 48, 36), (1, 37, 3, 30), (9, 4, 16, 7)]
        {
            // The extreme values often, since they are the ones that could saturate.
            let mut weight = || match rng.next_u32() % 4 {
                0 => 127,
                1 => -127,
                _ => (rng.next_u32() % 255) as i32 as i16 as i8 as i32 as i8,
            };
            let weights: Vec<i8> = (0..taps * inputs * outputs).map(|_| weight().max(-127)).collect();
            let packed = Packed::new(&weights, taps, inputs, outputs);
            let reach: Vec<i32> = (0..taps as i32).map(|tap| tap - taps as i32 / 2).collect();
            let places = cells + taps;
            let activations: Vec<u8> = (0..places * packed.inputs)
                .map(|_| if rng.next_u32() % 2 == 0 { 127 } else { (rng.next_u32() % 128) as u8 })
                .collect();
            let cells: Vec<u32> = (0..cells as u32).map(|cell| cell + taps as u32 / 2).collect();
            let wanted = by_definition(&weights, (inputs, outputs), &activations, packed.inputs, &cells, &reach);
            for with in Instructions::available() {
                let mut sums = vec![i32::MIN; cells.len() * packed.outputs];
                packed.sums(with, &activations, &cells, &reach, &mut sums);
                for (cell, wanted) in wanted.chunks(outputs).enumerate() {
                    let row = &sums[cell * packed.outputs..];
                    assert_eq!(&row[..outputs], wanted, "{with:?}, {taps} taps, {inputs} to {outputs}, cell {cell}");
                    assert!(row[outputs..packed.outputs].iter().all(|sum| *sum == 0), "{with:?}");
                }
            }
        }
    }

    #[test]
    #[should_panic(expected = "every tap of every cell")]
    fn a_cell_at_the_border_is_refused() {
        let packed = Packed::new(&[1; 3 * 4 * 16], 3, 4, 16);
        packed.sums(Instructions::best(), &[0; 16], &[3], &[-1, 0, 1], &mut [0; 16]);
    }
}
