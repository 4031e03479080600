//! Word vectors: a table of words and pieces of words, made offline (`scripts/embedding`), and means over it.
//!
//! The file, little-endian: `ATWV`, u32 version, u32 rows, u32 dimensions, u32 length of the names; the names, each ended
//! by `\n`; f32 weight of each row; f32 scale of each row; i8 rows. A name is the beginning of a word (`file`), a
//! continuation (`##ing`), or a whole word of another language behind a space (` borrar`).

use std::{collections::HashMap, sync::OnceLock};

use sha2::{Digest, Sha256};

static SHIPPED: &[u8] = include_bytes!("../../../assets/words.vectors");
const MAGIC: &[u8; 4] = b"ATWV";
const VERSION: u32 = 1;
/// Bytes that hold the names, weights and scales.
const BEGINNING: usize = 512 * 1024;

/// Why a table cannot be used.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub(super) enum BadTable {
    #[error("it does not begin as a table of word vectors of version {VERSION} does")]
    Header,
    #[error("it is {found} bytes long and says that it is {said}")]
    Length { said: usize, found: usize },
    #[error("its names are not {0} lines of UTF-8")]
    Names(usize),
    #[error("a weight or scale of it is no number from 0 up")]
    Numbers,
}

/// A table of word vectors.
pub(super) struct WordVectors {
    dimensions: usize,
    rows: HashMap<&'static str, u32>,
    weights: Vec<f32>,
    scales: Vec<f32>,
    values: &'static [u8],
}

impl WordVectors {
    /// The table that is part of the program. `None` where it cannot be read, which only a broken build can cause: then
    /// searches go by words alone.
    pub(super) fn shipped() -> Option<&'static Self> {
        static TABLE: OnceLock<Option<WordVectors>> = OnceLock::new();
        let table = TABLE.get_or_init(|| {
            Self::read(SHIPPED)
                .inspect_err(|error| tracing::error!("the word vectors cannot be used: {error}"))
                .ok()
        });
        table.as_ref()
    }

    pub(super) fn read(bytes: &'static [u8]) -> Result<Self, BadTable> {
        let (magic, rest) = bytes.split_first_chunk::<4>().ok_or(BadTable::Header)?;
        let (header, rest) = rest.split_first_chunk::<16>().ok_or(BadTable::Header)?;
        let number = |index: usize| {
            let word: [u8; 4] = std::array::from_fn(|byte| header[index * 4 + byte]);
            u32::from_le_bytes(word) as usize
        };
        let (rows, dimensions, names) = (number(1), number(2), number(3));
        if magic != MAGIC || number(0) != VERSION as usize || dimensions == 0 {
            return Err(BadTable::Header);
        }
        let said = rows
            .checked_mul(dimensions)
            .and_then(|values| values.checked_add(rows.checked_mul(8)?))
            .and_then(|body| body.checked_add(names))
            .ok_or(BadTable::Header)?;
        if said != rest.len() {
            let found = rest.len();
            return Err(BadTable::Length { said, found });
        }
        let (names, rest) = rest.split_at(names);
        let (weights, rest) = rest.split_at(rows * 4);
        let (scales, values) = rest.split_at(rows * 4);
        Ok(Self {
            dimensions,
            rows: read_names(names, rows)?,
            weights: read_numbers(weights)?,
            scales: read_numbers(scales)?,
            values,
        })
    }

    /// Whether the table has the whole word, so that its vector is no guess from its pieces.
    pub(super) fn knows(&self, word: &str) -> bool {
        self.rows.contains_key(word) || self.foreign(word).is_some()
    }

    /// Tells the table that is shipped from that of another version, by its beginning: names, weights and scales.
    pub(super) fn fingerprint() -> [u8; 32] {
        static FINGERPRINT: OnceLock<[u8; 32]> = OnceLock::new();
        *FINGERPRINT.get_or_init(|| Sha256::digest(&SHIPPED[..SHIPPED.len().min(BEGINNING)]).into())
    }

    /// How many numbers a vector has.
    pub(super) fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// A mean to add words to.
    pub(super) fn mean(&self) -> Mean<'_> {
        Mean {
            table: self,
            sum: vec![0.0; self.dimensions],
        }
    }

    fn foreign(&self, word: &str) -> Option<u32> {
        self.rows.get(format!(" {word}").as_str()).copied()
    }

    /// The rows that make up a word: the word itself, in whatever language, else its longest pieces.
    fn rows_of(&self, word: &str) -> Vec<u32> {
        let whole = [self.foreign(word), self.rows.get(word).copied()];
        let whole: Vec<u32> = whole.into_iter().flatten().collect();
        if whole.is_empty() {
            self.pieces(word)
        } else {
            whole
        }
    }

    fn pieces(&self, word: &str) -> Vec<u32> {
        let ends: Vec<usize> = word
            .char_indices()
            .map(|(at, _)| at)
            .chain([word.len()])
            .collect();
        let (mut rows, mut start) = (Vec::new(), 0);
        while start + 1 < ends.len() {
            let found = (start + 1..ends.len()).rev().find_map(|end| {
                let part = &word[ends[start]..ends[end]];
                let row = match start {
                    0 => self.rows.get(part),
                    _ => self.rows.get(format!("##{part}").as_str()),
                };
                row.map(|row| (*row, end))
            });
            match found {
                Some((row, end)) => {
                    rows.push(row);
                    start = end;
                }
                None => start += 1,
            }
        }
        rows
    }
}

fn read_names(names: &'static [u8], rows: usize) -> Result<HashMap<&'static str, u32>, BadTable> {
    let names = std::str::from_utf8(names).map_err(|_| BadTable::Names(rows))?;
    let names = names.strip_suffix('\n').unwrap_or(names);
    let table: HashMap<&str, u32> = names.split('\n').zip(0..).collect();
    // Two of one name are none.
    if names.split('\n').count() == rows && table.len() == rows {
        Ok(table)
    } else {
        Err(BadTable::Names(rows))
    }
}

fn read_numbers(bytes: &[u8]) -> Result<Vec<f32>, BadTable> {
    let (words, _) = bytes.as_chunks::<4>();
    let numbers = words.iter().map(|word| f32::from_le_bytes(*word));
    numbers
        .map(|number| (number.is_finite() && number >= 0.0).then_some(number))
        .collect::<Option<_>>()
        .ok_or(BadTable::Numbers)
}

/// A weighted mean of word vectors.
pub(super) struct Mean<'a> {
    table: &'a WordVectors,
    sum: Vec<f32>,
}

impl Mean<'_> {
    /// Adds a folded word that counts `factor` times.
    pub(super) fn add(&mut self, word: &str, factor: f32) {
        let table = self.table;
        for row in table.rows_of(word) {
            let row = row as usize;
            let scale = factor * table.weights[row] * table.scales[row];
            let values = &table.values[row * table.dimensions..][..table.dimensions];
            for (sum, value) in self.sum.iter_mut().zip(values) {
                *sum += scale * f32::from(value.cast_signed());
            }
        }
    }

    /// The mean at length 1; all zeros where no word was known. The sum of the weights falls out with the length.
    pub(super) fn vector(mut self) -> Vec<f32> {
        let length = self
            .sum
            .iter()
            .map(|value| value * value)
            .sum::<f32>()
            .sqrt();
        if length > 0.0 {
            self.sum.iter_mut().for_each(|value| *value /= length);
        }
        self.sum
    }
}

/// Vectors of length 1 in a byte a dimension, in one piece of memory: a search goes through all of them.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Embeddings {
    pub scales: Vec<f32>,
    pub values: Vec<i8>,
}

impl Embeddings {
    pub(super) fn push(&mut self, vector: &[f32]) {
        let largest = vector
            .iter()
            .fold(0.0_f32, |largest, value| largest.max(value.abs()));
        let scale = largest / 127.0;
        self.scales.push(scale);
        self.values.extend(vector.iter().map(|value| {
            #[allow(clippy::cast_possible_truncation)] // From -127 to 127; no number becomes 0.
            let value = (value / scale).round() as i8;
            value
        }));
    }

    /// The one vector as the others are kept.
    pub(super) fn one(vector: &[f32]) -> Self {
        let mut one = Self::default();
        one.push(vector);
        one
    }

    /// The cosine of each to the first of `query`.
    pub(super) fn cosines<'a>(&'a self, query: &'a Self) -> impl Iterator<Item = f32> + 'a {
        let dimensions = query.values.len();
        let scale = query.scales.first().copied().unwrap_or_default();
        let rows = self.values.chunks_exact(dimensions.max(1));
        rows.zip(&self.scales).map(move |(row, own)| {
            let pairs = row.iter().zip(&query.values);
            let product: i32 = pairs
                .map(|(a, b)| i32::from(i16::from(*a) * i16::from(*b)))
                .sum();
            own * scale * product as f32
        })
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    /// What the reference in `scripts/embedding` makes of a text.
    #[derive(Deserialize)]
    struct Golden {
        text: String,
        words: Vec<String>,
        length: f32,
        vector: Vec<f32>,
    }

    #[test]
    fn the_table_that_is_shipped_is_good() {
        let table = WordVectors::read(SHIPPED).unwrap();
        assert!(table.rows.len() > 20_000 && table.dimensions >= 64);
        assert!(SHIPPED.len() <= 8 * 1024 * 1024);
        assert!(WordVectors::shipped().is_some());
    }

    #[test]
    fn it_is_read_as_the_reference_reads_it() {
        let table = WordVectors::shipped().unwrap();
        let golden = include_str!("../../../tests/embedding/golden.jsonl");
        let mut count = 0;
        for line in golden.lines() {
            let golden: Golden = serde_json::from_str(line).unwrap();
            assert_eq!(super::super::words::words(&golden.text), golden.words);
            let mut mean = table.mean();
            golden.words.iter().for_each(|word| mean.add(word, 1.0));
            let length = mean
                .sum
                .iter()
                .map(|value| value * value)
                .sum::<f32>()
                .sqrt();
            assert!((length - golden.length).abs() < 1e-3, "{line}: {length}");
            for (value, expected) in mean.vector().iter().zip(&golden.vector) {
                assert!((value - expected).abs() < 1e-4, "{line}: {value}");
            }
            count += 1;
        }
        assert!(count >= 30);
    }

    #[test]
    fn a_table_that_is_not_whole_is_refused() {
        let read = |bytes: Vec<u8>| WordVectors::read(bytes.leak()).err().unwrap();
        let whole = SHIPPED.to_vec();
        assert_eq!(read(Vec::new()), BadTable::Header);
        assert_eq!(read(whole[..19].to_vec()), BadTable::Header);
        let changed = |at: usize, byte: u8| {
            let mut changed = whole.clone();
            changed[at] = byte;
            changed
        };
        assert_eq!(read(changed(0, b'X')), BadTable::Header);
        assert_eq!(read(changed(4, 2)), BadTable::Header);
        assert!(matches!(
            read(changed(15, 0xff)),
            BadTable::Header | BadTable::Length { .. }
        ));
        let short = whole[..whole.len() - 1].to_vec();
        assert!(matches!(read(short), BadTable::Length { .. }));
        assert!(matches!(read(changed(20, b'\n')), BadTable::Names(_)));
        let names = u32::from_le_bytes([whole[16], whole[17], whole[18], whole[19]]) as usize;
        assert_eq!(read(changed(20 + names + 3, 0xff)), BadTable::Numbers);
    }

    #[test]
    fn vectors_in_bytes_keep_their_angles() {
        let table = WordVectors::shipped().unwrap();
        let vector = |word: &str| {
            let mut mean = table.mean();
            mean.add(word, 1.0);
            mean.vector()
        };
        let [file, document, pizza] = ["file", "document", "pizza"].map(vector);
        let exact: f32 = file.iter().zip(&document).map(|(a, b)| a * b).sum();
        let mut rows = Embeddings::one(&document);
        rows.push(&pizza);
        rows.push(&vec![0.0; file.len()]);
        let cosines: Vec<f32> = rows.cosines(&Embeddings::one(&file)).collect();
        assert!((cosines[0] - exact).abs() < 0.01);
        assert!(cosines[0] > cosines[1]);
        assert_eq!(cosines[2], 0.0);
    }
}
