//! The reply to a query: what was found, best first, within a budget of tokens.

use serde_json::Value;

use super::{
    Scope,
    hit::{Form, Hit, Shape},
    listing::{self, Listing},
    schemas,
};
use crate::{facade::literal::PLACEHOLDER_CHARS, tokens::estimate};

/// A reply of up to five hits stays below 250 tokens; they may be a few more than estimated.
const BUDGET: usize = 238;
const BUDGET_HITS: usize = 5;
/// Each hit more may cost this many.
const PER_HIT: usize = 45;

const fn shape(sentence: usize, kind: usize, fields: usize, form: Form) -> Shape {
    Shape {
        sentence,
        kind,
        fields,
        links: match fields {
            70.. => Some(80),
            24.. => Some(0),
            _ => None,
        },
        form,
    }
}

/// From the longest to the shortest.
const SHAPES: [Shape; 7] = [
    shape(100, PLACEHOLDER_CHARS, 240, Form::Call),
    shape(100, 40, 120, Form::Body),
    shape(80, 30, 70, Form::Body),
    shape(65, 24, 50, Form::Body),
    shape(55, 20, 30, Form::Body),
    shape(45, 16, 24, Form::Body),
    shape(34, 10, 0, Form::Body),
];
/// For hits whose call is left out.
const NAMED: [Shape; 3] = [
    shape(40, 0, 50, Form::Name),
    shape(30, 0, 20, Form::Name),
    shape(0, 0, 0, Form::Name),
];

/// The hits in a listing. `named`: so many, the first ones, were asked for by their name.
pub(super) fn text(scope: &Scope<'_>, hits: &[Hit<'_>], listing: &Listing, named: usize) -> String {
    let most = BUDGET + PER_HIT * hits.len().saturating_sub(BUDGET_HITS);
    // What could not be searched, and what cannot be called yet, is said in the same room.
    let besides = listing
        .not_searched()
        .into_iter()
        .chain(set_up(scope, hits));
    let budget = besides.fold(most, |room, line| room.saturating_sub(estimate(&line)));
    let mut shorter = shapes(hits.len(), named);
    let mut text = written(scope, hits, listing, |_| SHAPES[0]);
    while estimate(&text) > budget {
        let Some(shapes) = shorter.next() else { break };
        text = written(scope, hits, listing, |number| shapes[number]);
    }
    // The one that is meant is described in full where that fits.
    if (hits.len() == 1 || named == 1)
        && let Some(best) = hits.first()
        && let Some(schema) = schemas::input(best.entry).filter(schemas::says_more)
    {
        let more = format!("\nSchema of {}: {}", best.name(), Value::Object(schema));
        if estimate(&text) + estimate(&more) <= budget {
            text.push_str(&more);
        }
    }
    text
}

/// What has to be done before the hits can be called. Of one plugin its state says so.
pub(super) fn set_up(scope: &Scope<'_>, hits: &[Hit<'_>]) -> Option<String> {
    match scope.is_one() {
        true => None,
        false => listing::set_up(hits.iter().map(|hit| hit.plugin)),
    }
}

/// The ways to write so many hits, from the longest to the shortest: first all get shorter, then the last ones lose
/// their calls. Those that were asked for by their names stay whole for as long as the others can give up room.
fn shapes(count: usize, named: usize) -> impl Iterator<Item = Vec<Shape>> {
    let [longest, .., shortest] = SHAPES;
    let neighbours = SHAPES.into_iter().skip(1).chain(NAMED);
    let neighbours = neighbours
        .take_while(move |_| named > 0)
        .map(move |neighbour| {
            let mut shapes = vec![longest; named.min(count)];
            shapes.resize(count, neighbour);
            shapes
        });
    let alike = SHAPES
        .into_iter()
        .skip(1)
        .map(move |shape| vec![shape; count]);
    let named = NAMED.into_iter().flat_map(move |named| {
        (1..count).rev().map(move |calls| {
            let mut shapes = vec![shortest; calls];
            shapes.resize(count, named);
            shapes
        })
    });
    neighbours.chain(alike).chain(named)
}

fn written(
    scope: &Scope<'_>,
    hits: &[Hit<'_>],
    listing: &Listing,
    shape: impl Fn(usize) -> Shape,
) -> String {
    let mut lines = String::new();
    let mut above = String::new();
    let mut spelled: Vec<String> = Vec::new();
    let mut is_cut = false;
    let mut named = None;
    for (number, hit) in hits.iter().enumerate() {
        let mut shape = shape(number);
        let tool = hit.tool();
        if spelled.contains(&tool) {
            named = named.or_else(|| (shape.form == Form::Name).then_some(hit));
        } else {
            // Nobody could tell how it is called.
            shape.form = Form::Call;
            spelled.push(tool);
        }
        let written = hit.written(shape, &mut above);
        lines.push('\n');
        lines.push_str(&written.text);
        is_cut |= written.is_cut;
    }
    let mut text = head(scope, hits, listing, &lines);
    text.push_str(&lines);
    if let Some(hit) = named {
        text.push_str(&format!("\n{}(…): call it in the same way.", hit.name()));
    }
    if is_cut {
        text.push_str("\n… in full: query by name with \"detail\":\"schema\".");
    }
    text
}

/// How many there are, and how to read what follows.
fn head(scope: &Scope<'_>, hits: &[Hit<'_>], listing: &Listing, lines: &str) -> String {
    let mut rules = Vec::new();
    if lines.contains("\n{") {
        rules.push("{…}: the tool above it");
    }
    if hits.iter().any(Hit::needs_consent) {
        rules.push("changes: add \"confirm\":true");
    }
    let rules = match rules.is_empty() {
        true => String::new(),
        false => format!(" ({})", rules.join("; ")),
    };
    let (offered, name) = (listing.offered(), listing.name(scope));
    format!(
        "{} of {offered} in {name}. Not data yet: call one{rules}.",
        hits.len()
    )
}
