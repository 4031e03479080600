//! The verbs over all plugins: `agent_tools_discover`, `agent_tools_call`, `agent_tools_run_skill`.

pub(super) mod list;
mod reading;

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::{
    Facade,
    answer::{READ_MORE, read_on_by_call},
    help,
    verbs::{Reach, Spelling, Verb},
};
use crate::{
    adapter::CallContext,
    guard::{Addressee, CallEnvelope, Seen, SkillEnvelope, refusal, take_plugin},
    plugin::Plugin,
    reply::{Code, Failure, Reply},
};
use reading::{Meant, Unclear};

/// Prefixes named in a hint, at most.
const MAX_PREFIXES: usize = 20;
/// Calls spelled out in a hint, at most.
const MAX_CALLS: usize = 3;
/// Longer arguments are not spelled out; who sent them knows them.
const MAX_ARGUMENTS: usize = 2_000;

/// How a long result is read on where no plugin is known.
pub(super) fn read_on(id: &str, page: usize) -> String {
    let body = json!({ "toolName": READ_MORE, "arguments": { "id": id, "page": page } });
    format!("{} {body}", Verb::Call.shared_name())
}

impl Facade {
    pub(super) async fn shared(
        &self,
        plugins: &[Arc<Plugin>],
        verb: Verb,
        mut sent: Map<String, Value>,
        context: &CallContext,
    ) -> Reply {
        let mut notes = Vec::new();
        let given = take_plugin(&mut sent, verb.key(), &mut notes);
        let named = reading::named(plugins, given.as_ref(), &mut notes);
        let request = Shared {
            verb,
            plugins,
            notes,
        };
        match verb {
            Verb::Discover if plugins.is_empty() => Reply::text(help::NONE_INSTALLED),
            Verb::Discover => match named {
                Ok(Some(plugin)) => self.discover(&[plugin], plugins, Reach::Shared, sent).await,
                Ok(None) => self.discover(plugins, plugins, Reach::Shared, sent).await,
                Err(unclear) => {
                    let query = sent.get("query").and_then(Value::as_str);
                    let query = query.unwrap_or("what you want to do");
                    let retry = |spelling: Spelling<'_>, _: &str| spelling.discover(query);
                    let asked = given.as_ref().and_then(Value::as_str).unwrap_or_default();
                    let failure = request.unclear(unclear, "", &retry);
                    self.counted_by_verb(verb, asked, failure, context).into()
                }
            },
            Verb::Call => self.shared_call(request, named, sent, context).await,
            Verb::RunSkill => self.shared_run(request, named, sent, context).await,
        }
    }

    async fn shared_call(
        &self,
        mut request: Shared<'_>,
        named: Result<Option<Arc<Plugin>>, Unclear>,
        sent: Map<String, Value>,
        context: &CallContext,
    ) -> Reply {
        let mut envelope = match CallEnvelope::read(sent, &request.addressee(&named)) {
            Ok(envelope) => envelope,
            Err(failure) => return self.unreadable(&request, named, failure, context),
        };
        if envelope.tool == READ_MORE && matches!(named, Ok(None)) {
            return self.read_more(&envelope.arguments, &read_on);
        }
        let sent = (
            envelope.tool.as_str(),
            &envelope.arguments,
            envelope.confirm,
        );
        let meant = match self.meant(&mut request, named, sent, context).await {
            Ok(meant) => meant,
            Err(unclear) => return unclear,
        };
        envelope.tool = meant.name;
        envelope.notes.splice(0..0, request.notes);
        let spelling = Reach::Shared.to(meant.plugin.prefix());
        self.call_read(&meant.plugin, spelling, envelope, context)
            .await
    }

    async fn shared_run(
        &self,
        mut request: Shared<'_>,
        named: Result<Option<Arc<Plugin>>, Unclear>,
        sent: Map<String, Value>,
        context: &CallContext,
    ) -> Reply {
        let mut envelope = match SkillEnvelope::read(sent, &request.addressee(&named)) {
            Ok(envelope) => envelope,
            Err(failure) => return self.unreadable(&request, named, failure, context),
        };
        let sent = (
            envelope.skill.as_str(),
            &envelope.arguments,
            envelope.confirm,
        );
        let meant = match self.meant(&mut request, named, sent, context).await {
            Ok(meant) => meant,
            Err(unclear) => return unclear,
        };
        envelope.skill = meant.name;
        envelope.notes.splice(0..0, request.notes);
        let spelling = Reach::Shared.to(meant.plugin.prefix());
        self.run(&meant.plugin, spelling, envelope, context)
            .await
            .unwrap_or_else(Reply::from)
    }

    /// What a request for `(name, arguments, confirm)` means; where that is unclear, the reply that says so.
    async fn meant(
        &self,
        request: &mut Shared<'_>,
        named: Result<Option<Arc<Plugin>>, Unclear>,
        (name, arguments, confirm): (&str, &Map<String, Value>, bool),
        context: &CallContext,
    ) -> Result<Meant, Reply> {
        let unclear = match request.meant(named, name).await {
            Ok(meant) => return Ok(meant),
            Err(unclear) => unclear,
        };
        let failure = request.not_sent(unclear, name, arguments.clone(), confirm);
        Err(self
            .counted_by_verb(request.verb, name, failure, context)
            .into())
    }

    /// A call that has no readable shape. Where its plugin is known it is counted there.
    fn unreadable(
        &self,
        request: &Shared<'_>,
        named: Result<Option<Arc<Plugin>>, Unclear>,
        failure: Failure,
        context: &CallContext,
    ) -> Reply {
        match named {
            Ok(Some(plugin)) => {
                let spelling = Reach::Shared.to(plugin.prefix());
                self.misshapen(&plugin, spelling, failure, context)
            }
            _ => self.counted_by_verb(request.verb, "", failure, context),
        }
        .into()
    }

    /// Counts a failure that no plugin has a part in, by the name that was `asked` for: looking for several is no loop.
    fn counted_by_verb(
        &self,
        verb: Verb,
        asked: &str,
        failure: Failure,
        context: &CallContext,
    ) -> Failure {
        let name = verb.shared_name();
        let target = format!("{name} {asked}");
        let target = target.trim_end();
        let (seen, failures) = self
            .repeats
            .failed(&context.session, "", target, failure.code, 0);
        match seen {
            Seen::TooOften => {
                let refusal = refusal(target, failure.code, failures);
                // The names that would help are not lost.
                let hints = [refusal.hint.clone(), failure.hint];
                let hint: Vec<String> = hints.into_iter().flatten().collect();
                refusal.with_hint(hint.join(" "))
            }
            Seen::Few | Seen::Often => failure,
        }
    }

    /// How a failure of a verb over all plugins is read on in.
    pub(super) fn read_on_shared(
        &self,
        arguments: &Value,
    ) -> impl Fn(&str, usize) -> String + use<> {
        let named = arguments.get("plugin").and_then(Value::as_str);
        let plugin = named.and_then(|prefix| self.plugin(prefix));
        move |id, page| match &plugin {
            Some(plugin) => read_on_by_call(Reach::Shared.to(plugin.prefix()))(id, page),
            None => read_on(id, page),
        }
    }
}

/// A call of a verb over all plugins.
struct Shared<'a> {
    verb: Verb,
    plugins: &'a [Arc<Plugin>],
    notes: Vec<String>,
}

impl Shared<'_> {
    fn addressee(&self, named: &Result<Option<Arc<Plugin>>, Unclear>) -> Addressee {
        let plugin = match (named, self.plugins) {
            (Ok(Some(plugin)), _) => Some(plugin.prefix()),
            (
                Err(Unclear::UnknownPlugin {
                    near: Some(near), ..
                }),
                _,
            ) => Some(near.prefix()),
            (_, [only]) => Some(only.prefix()),
            _ => Some("<prefix>"),
        };
        Addressee {
            tool: self.verb.shared_name(),
            plugin: plugin.map(str::to_owned),
        }
    }

    async fn meant(
        &mut self,
        named: Result<Option<Arc<Plugin>>, Unclear>,
        name: &str,
    ) -> Result<Meant, Unclear> {
        let meant = match named {
            Ok(Some(plugin)) => reading::of_plugin(plugin, self.verb, name).await,
            Ok(None) => reading::of_any(self.plugins, self.verb, name).await?,
            Err(unclear) => return Err(unclear),
        };
        self.notes.extend(meant.note.clone());
        Ok(meant)
    }

    /// What is said of a call of `name` that cannot be sent: the same call for the plugin that may be meant.
    fn not_sent(
        &self,
        unclear: Unclear,
        name: &str,
        arguments: Map<String, Value>,
        confirm: bool,
    ) -> Failure {
        let arguments = Value::Object(arguments);
        let retry = |spelling: Spelling<'_>, name: &str| {
            shortened(spelling, self.verb, name, &arguments, confirm)
        };
        self.unclear(unclear, name, &retry)
    }

    /// `retry` spells the call for another plugin.
    fn unclear(
        &self,
        unclear: Unclear,
        name: &str,
        retry: &dyn Fn(Spelling<'_>, &str) -> String,
    ) -> Failure {
        match unclear {
            Unclear::NotText(value) => Failure::new(
                Code::BadCallShape,
                format!("`plugin` must be a plugin's prefix, not {value}"),
            )
            .with_hint(prefixes(self.plugins)),
            // No fault of a plugin that could be there the next time.
            Unclear::UnknownPlugin { given, near } => Failure::new(
                Code::BadCallShape,
                format!("there is no plugin {given:?}; nothing was sent"),
            )
            .with_hint(match near {
                Some(near) => {
                    let call = retry(Reach::Shared.to(near.prefix()), name);
                    format!("Did you mean {}? {call}", near.prefix())
                }
                None => prefixes(self.plugins),
            }),
            Unclear::Missing(meant) => self.missing(&meant, name, retry),
        }
    }

    fn missing(
        &self,
        meant: &[Meant],
        name: &str,
        retry: &dyn Fn(Spelling<'_>, &str) -> String,
    ) -> Failure {
        let what = match self.verb {
            Verb::RunSkill => "skill",
            Verb::Discover | Verb::Call => "tool",
        };
        if meant.is_empty() {
            let query = json!({ "query": name });
            return Failure::new(
                Code::BadCallShape,
                format!("`plugin` is missing, and no plugin is known to have a {what} {name:?}; nothing was sent"),
            )
            .with_hint(format!(
                "Find it, and copy the call from the answer: {} {query}",
                Verb::Discover.shared_name()
            ));
        }
        let owners: Vec<&str> = meant.iter().map(|meant| meant.plugin.prefix()).collect();
        let calls: Vec<String> = meant
            .iter()
            .take(MAX_CALLS)
            .map(|meant| retry(Reach::Shared.to(meant.plugin.prefix()), &meant.name))
            .collect();
        Failure::new(
            Code::BadCallShape,
            format!(
                "`plugin` is missing, and the {what} {name:?} may be of {}; nothing was sent",
                some(&owners)
            ),
        )
        .with_hint(format!("Say which: {}", calls.join(" or ")))
    }
}

/// The call, without arguments that are too long to be repeated.
fn shortened(
    spelling: Spelling<'_>,
    verb: Verb,
    name: &str,
    arguments: &Value,
    confirm: bool,
) -> String {
    let left_out = json!("…");
    let arguments = match arguments.to_string().len() > MAX_ARGUMENTS {
        true => &left_out,
        false => arguments,
    };
    match verb {
        Verb::RunSkill => spelling.run_skill(name, arguments, confirm),
        Verb::Discover | Verb::Call => spelling.call(name, arguments, confirm),
    }
}

fn prefixes(plugins: &[Arc<Plugin>]) -> String {
    let known: Vec<&str> = plugins.iter().map(|plugin| plugin.prefix()).collect();
    match known.is_empty() {
        true => "There are no plugins.".into(),
        false => format!("The plugins are: {}.", some(&known)),
    }
}

fn some(names: &[&str]) -> String {
    let shown = names[..names.len().min(MAX_PREFIXES)].join(", ");
    match names.len().saturating_sub(MAX_PREFIXES) {
        0 => shown,
        more => format!("{shown}, and {more} more"),
    }
}
