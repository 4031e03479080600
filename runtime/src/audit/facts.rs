//! What is said of a call to whoever watches calls from outside.

use super::entry::Ending;

/// What a span says of a call. Arguments and results are not among it.
#[cfg_attr(not(feature = "otlp"), allow(dead_code))]
pub(super) struct Facts<'a> {
    pub door: &'static str,
    pub plugin: &'a str,
    /// `tool` or `skill`.
    pub kind: &'a str,
    /// Empty where the call could not be read so far.
    pub name: &'a str,
    pub receipt: Option<&'a str>,
    pub decision: Option<&'a str>,
    pub ending: Ending,
    pub sent: bool,
}
