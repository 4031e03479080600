//! The fields of a document, and how much a word in each says.

use serde::Serialize;

/// A field of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[repr(usize)]
pub enum Field {
    /// Prefix and name of the plugin.
    Server,
    /// What the plugin says about itself.
    ServerText,
    /// Name and title.
    Name,
    /// The description.
    Description,
    /// Names of parameters.
    Parameters,
    /// Descriptions of parameters.
    ParameterTexts,
}

/// How many fields there are.
pub(super) const FIELDS: usize = 6;

impl Field {
    pub(super) const ALL: [Self; FIELDS] = [
        Self::Server,
        Self::ServerText,
        Self::Name,
        Self::Description,
        Self::Parameters,
        Self::ParameterTexts,
    ];

    /// How much a word here counts. A name is chosen with care; a description says much beside the matter.
    pub(super) const fn weight(self) -> f32 {
        match self {
            Self::Server => 1.5,
            // Says the same of every tool of the plugin, so it can only tell plugins apart.
            Self::ServerText => 0.3,
            Self::Name => 2.5,
            Self::Description => 1.0,
            Self::Parameters => 0.8,
            Self::ParameterTexts => 0.6,
        }
    }

    /// How much a long field is discounted, from 0 (not at all) to 1 (in full).
    pub(super) const fn length_discount(self) -> f32 {
        match self {
            Self::Server => 0.3,
            _ => 0.5,
        }
    }
}
