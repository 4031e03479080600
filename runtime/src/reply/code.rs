//! The stable error codes.

use std::fmt;

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $variant:ident = $name:literal,)+) => {
        /// Why a call or an operation failed. The text of a code never changes.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $($(#[doc = $doc])+ $variant,)+
        }

        impl Code {
            /// Every code, in the order of the documentation.
            pub const ALL: &[Code] = &[$(Code::$variant,)+];

            /// The code as it appears on the wire.
            pub const fn as_str(self) -> &'static str {
                match self { $(Code::$variant => $name,)+ }
            }

            /// The code of that spelling.
            pub fn parse(text: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|code| code.as_str() == text)
            }

            /// Whether the very same call may succeed when it is repeated later.
            pub const fn retryable(self) -> bool {
                matches!(
                    self,
                    Code::PluginUnavailable
                        | Code::PluginCrashed
                        | Code::UpstreamUnreachable
                        | Code::Timeout
                        | Code::Cancelled
                        | Code::AuditUnwritable
                        | Code::PortInUse
                )
            }

            /// One sentence about the cause.
            pub const fn meaning(self) -> &'static str {
                match self { $(Code::$variant => concat!($($doc),+),)+ }
            }
        }
    };
}

codes! {
    /// The facade tool's name is not one of the listed tools.
    UnknownFacadeTool = "UNKNOWN_FACADE_TOOL",
    /// A `_call` came without `toolName`.
    MissingToolName = "MISSING_TOOL_NAME",
    /// The plugin has no tool of that name.
    UnknownTool = "UNKNOWN_TOOL",
    /// A `_run_skill` came without `skill`.
    MissingSkillName = "MISSING_SKILL_NAME",
    /// The plugin has no skill of that name.
    UnknownSkill = "UNKNOWN_SKILL",
    /// The call's own shape cannot be read, for example `arguments` that is not an object.
    BadCallShape = "BAD_CALL_SHAPE",
    /// The arguments do not fit the tool's input schema.
    ArgValidationFailed = "ARG_VALIDATION_FAILED",
    /// The tool or skill may change something and `confirm: true` was not given.
    ConfirmRequired = "CONFIRM_REQUIRED",
    /// The user was asked and did not agree, or did not answer in time.
    ConsentDenied = "CONSENT_DENIED",
    /// The user's policy does not let it be called, or not without somebody to ask.
    PolicyDenied = "POLICY_DENIED",
    /// The tool's definition is new, has changed or is suspicious; it waits until the user accepts it.
    DefinitionChanged = "DEFINITION_CHANGED",
    /// The tool ran and reported an error.
    ToolFailed = "TOOL_FAILED",
    /// The skill ran and threw.
    SkillFailed = "SKILL_FAILED",
    /// The plugin could not be started, loaded or listed.
    PluginUnavailable = "PLUGIN_UNAVAILABLE",
    /// The plugin's process or worker ended while it was answering.
    PluginCrashed = "PLUGIN_CRASHED",
    /// The service refused the credentials, or wants some.
    UpstreamAuth = "UPSTREAM_AUTH",
    /// The service could not be reached.
    UpstreamUnreachable = "UPSTREAM_UNREACHABLE",
    /// The service answered with a protocol error, or with something that is not the protocol.
    UpstreamProtocol = "UPSTREAM_PROTOCOL",
    /// No answer within the deadline; the tool is read-only, so nothing was changed.
    Timeout = "TIMEOUT",
    /// A call that may change something was sent and no answer came.
    OutcomeUnknown = "OUTCOME_UNKNOWN",
    /// The same tool failed in the same way too often in a row; it was not tried again.
    RepeatedFailure = "REPEATED_FAILURE",
    /// Calls must be recorded here, and the call log cannot be written; nothing was sent.
    AuditUnwritable = "AUDIT_UNWRITABLE",
    /// A long result is no longer kept, or never was.
    ResultGone = "RESULT_GONE",
    /// The client cancelled the call.
    Cancelled = "CANCELLED",
    /// The runtime has been closed.
    Closed = "CLOSED",
    /// A manifest, an option or an environment variable is wrong or missing.
    ConfigInvalid = "CONFIG_INVALID",
    /// The HTTP port is taken by another program.
    PortInUse = "PORT_IN_USE",
    /// The HTTP address cannot be listened on.
    BindFailed = "BIND_FAILED",
    /// A fault of this program.
    Internal = "INTERNAL",
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::Code;

    #[test]
    fn every_code_is_unique_and_in_the_documented_spelling() {
        let mut seen = std::collections::BTreeSet::new();
        for code in Code::ALL {
            assert!(seen.insert(code.as_str()), "{code} is listed twice");
            assert!(
                code.as_str()
                    .chars()
                    .all(|c| c.is_ascii_uppercase() || c == '_'),
                "{code}"
            );
            assert!(!code.meaning().trim().is_empty(), "{code}");
        }
    }

    #[test]
    fn the_documented_table_is_the_enum() {
        let table = Code::ALL
            .iter()
            .map(|code| {
                let again = if code.retryable() { "yes" } else { "no" };
                format!("| `{code}` | {} | {again} |", code.meaning().trim())
            })
            .collect::<Vec<_>>()
            .join("\n");
        let page = include_str!("../../../docs/errors.md");
        assert!(
            page.contains(&table),
            "docs/errors.md is out of date; the table should read:\n{table}"
        );
    }
}
