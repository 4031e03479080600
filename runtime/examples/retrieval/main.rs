//! Measures tool search over the sets of `bench/retrieval`: one line of JSON a set. `npm run bench:retrieval` prints a table
//! of it and compares.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod metrics;
mod sets;

use std::{collections::BTreeMap, path::Path};

use agent_tools_runtime::catalog::search::SearchIndex;
use metrics::Scores;
use serde_json::{Value, json};
use sets::{Fit, SETS, Set};

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../bench/retrieval");
    for Set {
        name,
        tools,
        queries,
    } in SETS
    {
        let catalogue = sets::catalogue(&folder, tools);
        let index = SearchIndex::new(catalogue.sections.clone());
        let mut scores = Scores::default();
        for query in sets::queries(&folder, queries) {
            let found = index.search(&query.query, metrics::DEEPEST);
            let ids: Vec<&str> = found
                .hits
                .iter()
                .map(|hit| catalogue.ids[hit.section][hit.entry].as_str())
                .collect();
            scores.add(&query, &ids, found.fits);
        }
        println!("{}", json!({ "set": name, "scores": scores.means() }));
    }
    for (catalogue, refusals) in refusals(&folder) {
        println!(
            "{}",
            json!({ "set": format!("fit: {catalogue}"), "scores": refusals })
        );
    }
}

/// By catalogue: how many of the queries that nothing fits were refused, and how many of the others.
fn refusals(folder: &Path) -> BTreeMap<String, Value> {
    let mut indexes: BTreeMap<String, (SearchIndex, [[u32; 2]; 2])> = BTreeMap::new();
    for Fit {
        catalogue,
        query,
        fits,
    } in sets::fits(folder)
    {
        let (index, counts) = indexes.entry(catalogue).or_insert_with_key(|name| {
            let sections = sets::named_catalogue(folder, name).sections;
            (SearchIndex::new(sections), [[0; 2]; 2])
        });
        let refused = !index.search(&query, metrics::DEEPEST).fits;
        let [asked, refusals] = &mut counts[usize::from(fits)];
        *asked += 1;
        *refusals += u32::from(refused);
    }
    let share = |[asked, refused]: [u32; 2]| match asked {
        0 => Value::Null,
        _ => json!((f64::from(refused) / f64::from(asked) * 1000.0).round() / 1000.0),
    };
    indexes
        .into_iter()
        .map(|(name, (_, [unfit, fit]))| {
            (
                name,
                json!({ "unfitRefused": share(unfit), "fittingRefused": share(fit) }),
            )
        })
        .collect()
}
