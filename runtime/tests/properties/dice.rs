//! Choices that shrink: a case is built from numbers, and the shrinker turns these to 0, which is the plainest choice.

use proptest::prelude::*;
use serde_json::{Value, json};

/// Numbers to be used up; 0 when there are no more.
#[derive(Debug, Clone)]
pub struct Dice {
    rolls: std::vec::IntoIter<u16>,
}

impl Dice {
    /// A number below `sides`.
    pub fn roll(&mut self, sides: usize) -> usize {
        usize::from(self.rolls.next().unwrap_or(0)) % sides.max(1)
    }

    /// One of several.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.roll(from.len())]
    }

    /// True once in so many.
    pub fn once_in(&mut self, sides: usize) -> bool {
        self.roll(sides) == sides - 1
    }

    /// A value of no particular kind.
    pub fn any(&mut self) -> Value {
        let deep = |levels: usize| (0..levels).fold(json!(1), |inner, _| json!([inner]));
        match self.roll(18) {
            0 => json!(null),
            1 => json!(true),
            2 => json!(0),
            3 => json!("x"),
            4 => json!([]),
            5 => json!({}),
            6 => json!("5"),
            7 => json!(" [1, \"2\"]"),
            8 => json!("{\"a\": null}"),
            9 => json!(1.5),
            10 => json!(u64::MAX),
            11 => json!(i64::MIN),
            12 => json!(1e300),
            13 => json!({ "__proto__": { "a": 1 } }),
            14 => deep(100),
            15 => json!("é\u{0}🦀".repeat(5_000)),
            16 => json!([null, { "a": [false] }]),
            _ => json!("null"),
        }
    }
}

pub fn dice() -> impl Strategy<Value = Dice> {
    prop::collection::vec(any::<u16>(), 0..60).prop_map(|rolls| Dice {
        rolls: rolls.into_iter(),
    })
}
