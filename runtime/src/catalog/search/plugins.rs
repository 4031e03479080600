//! The first of two levels: a plugin whose best entry fits lifts all its entries a little.

/// How much a plugin counts beside an entry's own fit.
const PLUGIN_WEIGHT: f32 = 0.3;

/// What the entries of each section get for their plugin: nothing where there is but one.
pub(super) fn plugin_weights(sections: &[&[f32]]) -> Vec<f32> {
    let best = sections
        .iter()
        .map(|scores| scores.iter().copied().fold(0.0, f32::max));
    let best: Vec<f32> = best.collect();
    let count = best.len().max(1) as f32;
    let mean = best.iter().sum::<f32>() / count;
    let variance = best.iter().map(|best| (best - mean).powi(2)).sum::<f32>() / count;
    let deviation = variance.sqrt().max(1.0);
    best.iter()
        .map(|best| PLUGIN_WEIGHT * (best - mean) / deviation)
        .collect()
}
