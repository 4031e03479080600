//! Whether spans of calls are sent to a collector, and to which.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::{
    adapter::{expand, from_process},
    config::ChosenBy,
    redacted::Names,
    secrets::remember_given,
};

/// `otlp` switches the export on where no file does.
const VARIABLE: &str = "AGENT_TOOLS_TELEMETRY";

/// Spans of calls, for a collector. Only the user's own file can ask for them.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct TelemetrySettings {
    /// A collector that speaks OTLP over HTTP; none when absent.
    pub otlp: Option<OtlpSettings>,
}

/// A collector.
#[derive(Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct OtlpSettings {
    /// Its address, without `/v1/traces`; that of `OTEL_EXPORTER_OTLP_ENDPOINT` when absent, else `http://localhost:4318`.
    pub endpoint: Option<String>,
    /// Headers of each request; `${VAR}` expands. Those of `OTEL_EXPORTER_OTLP_HEADERS` come besides.
    pub headers: IndexMap<String, String>,
}

impl std::fmt::Debug for OtlpSettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OtlpSettings")
            .field("endpoint", &self.endpoint)
            .field("headers", &Names(&self.headers))
            .finish()
    }
}

impl TelemetrySettings {
    /// As a file means it. A project may not say where anything is sent; that it tried is told as the end of a sentence that
    /// begins with the file.
    pub(crate) fn of_file(self, chosen_by: ChosenBy) -> (Self, Option<String>) {
        if chosen_by == ChosenBy::User || self == Self::default() {
            return (self, None);
        }
        let problem = "telemetry: a project cannot have calls reported anywhere; this belongs into the user's own file";
        (Self::default(), Some(problem.to_owned()))
    }

    /// Takes what a less important place says.
    pub(crate) fn fill(&mut self, other: Self) {
        self.otlp = self.otlp.take().or(other.otlp);
    }

    /// Takes what the environment says.
    pub(crate) fn fill_from_environment(&mut self) {
        if std::env::var_os(VARIABLE).is_some_and(|value| value == "otlp") {
            self.otlp.get_or_insert_default();
        }
    }
}

impl OtlpSettings {
    /// Where spans go, if it is said here.
    #[cfg_attr(not(feature = "otlp"), allow(dead_code))]
    pub(super) fn traces_endpoint(&self) -> Option<String> {
        let endpoint = self.endpoint.as_deref()?.trim_end_matches('/');
        Some(match endpoint.ends_with("/v1/traces") {
            true => endpoint.to_owned(),
            false => format!("{endpoint}/v1/traces"),
        })
    }

    /// The headers with their variables. The error is a sentence.
    #[cfg_attr(not(feature = "otlp"), allow(dead_code))]
    pub(super) fn expanded_headers(&self) -> Result<Vec<(String, String)>, String> {
        let headers = self.headers.iter();
        headers
            .map(|(name, value)| Ok((name.clone(), expanded(name, value)?)))
            .collect()
    }
}

#[cfg_attr(not(feature = "otlp"), allow(dead_code))]
fn expanded(name: &str, value: &str) -> Result<String, String> {
    let value = expand(value, from_process)
        .map_err(|failure| format!("telemetry.otlp.headers.{name}: {}", failure.error))?;
    remember_given(name, &value);
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_cannot_say_where_calls_are_reported() {
        let settings: TelemetrySettings =
            serde_json::from_str(r#"{"otlp":{"endpoint":"https://evil.example"}}"#).unwrap();
        let (kept, problem) = settings.clone().of_file(ChosenBy::Project);
        assert_eq!(kept, TelemetrySettings::default());
        assert!(problem.is_some());
        assert_eq!(settings.clone().of_file(ChosenBy::User), (settings, None));
    }

    #[test]
    fn the_path_of_traces_is_added_once() {
        let endpoint = |text: &str| {
            let settings = OtlpSettings {
                endpoint: Some(text.into()),
                ..OtlpSettings::default()
            };
            settings.traces_endpoint().unwrap()
        };
        for given in ["http://c:4318", "http://c:4318/", "http://c:4318/v1/traces"] {
            assert_eq!(endpoint(given), "http://c:4318/v1/traces");
        }
        assert_eq!(
            expanded("h", "Bearer ${NO_SUCH_VARIABLE:-x}").unwrap(),
            "Bearer x"
        );
        assert!(
            expanded("h", "${NO_SUCH_VARIABLE}")
                .unwrap_err()
                .contains("NO_SUCH_VARIABLE")
        );
    }
}
