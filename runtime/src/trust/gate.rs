//! What of a listing is shown, found and called: tools whose definition is the one that is trusted.

use std::{
    collections::{BTreeMap, HashSet},
    path::Path,
    sync::{Mutex, MutexGuard, PoisonError},
};

use serde_json::{Value, json};

use super::{
    definition::{Checksums, Definition},
    held::{Held, Why},
    lock_file::{LockError, LockFile, Stamp},
    pins::{Pin, Pins},
    scan::{self, Finding},
    session::SessionDefinitions,
    settings::{ScanLevel, TrustSettings},
    source::{is_foreign, is_lasting, source_name},
    visible::visible,
};
use crate::{
    catalog::{NameFilter, Tool},
    checksum,
    plugin::Manifest,
    policy::Named,
    reply::Failure,
};

/// What is trusted of one plugin, and what waits.
#[derive(Debug)]
pub(crate) struct Gate {
    prefix: String,
    /// Whether what was seen first is trusted, and a change of it is not.
    pinned: bool,
    scan: ScanLevel,
    /// None where there is no folder for it: pins are of this run then.
    lock_file: Option<LockFile>,
    /// What is not offered is neither held back nor reported.
    offered: NameFilter,
    session: SessionDefinitions,
    state: Mutex<State>,
}

/// As of the last listing.
#[derive(Debug, Default)]
struct State {
    held: BTreeMap<String, Held>,
    findings: Vec<Finding>,
    /// Why the lock file is of no use.
    trouble: Option<String>,
    /// What is trusted in this run, where it is of no use or the first listing lacked a part.
    memory: Option<Pins>,
    /// The lock file when it was last read.
    stamp: Stamp,
    /// Something was accepted since.
    accepted: bool,
    /// What is to be told is not what was told before.
    news: bool,
}

/// A tool as its service lists it.
#[derive(Debug)]
pub(crate) struct Listed {
    pub tool: Tool,
    /// Its description lists what the service holds at the moment.
    pub lists_data: bool,
}

/// A listed tool with what is to be known of it.
struct Candidate {
    tool: Tool,
    lists_data: bool,
    definition: Definition,
    checksums: Checksums,
    findings: Vec<Finding>,
}

impl Gate {
    pub(crate) fn new(
        manifest: &Manifest,
        settings: &TrustSettings,
        data_dir: Option<&Path>,
    ) -> Self {
        let prefix = manifest.prefix.clone();
        Self {
            pinned: is_foreign(manifest) && settings.pins(Named::from(manifest)),
            scan: settings.scan(),
            lock_file: data_dir
                .filter(|_| is_lasting(manifest))
                .map(|dir| LockFile::new(dir, source_name(manifest), &prefix)),
            offered: manifest.filter.clone(),
            session: SessionDefinitions::default(),
            state: Mutex::default(),
            prefix,
        }
    }

    /// The tools of a new listing that are trusted, without what nobody sees in them. Those of the first one are. `whole`
    /// says that the listing lacks nothing. Reads and writes files.
    pub(crate) fn admit(&self, listed: Vec<Listed>, whole: bool) -> Vec<Tool> {
        let candidates = self.candidates(listed, self.scan != ScanLevel::Off);
        let stamp = self.lock_file.as_ref().and_then(LockFile::stamp);
        let pins = self.pins(&candidates, whole);
        let mut held = BTreeMap::new();
        let mut findings = Vec::new();
        let mut admitted = Vec::with_capacity(candidates.len());
        for candidate in candidates {
            let name = &candidate.tool.name;
            if self.offered.admits(name) {
                findings.extend(candidate.findings.iter().cloned());
            }
            match self.why_held(&candidate, pins.as_ref(), &[]) {
                None => admitted.push(candidate.tool),
                Some(why) if self.offered.admits(name) => {
                    let pin = pins.as_ref().and_then(|pins| pins.get(name));
                    let held_tool = Held {
                        why,
                        before: pin.and_then(|pin| pin.definition.clone()),
                        now: candidate.definition,
                        findings: candidate.findings,
                    };
                    held.insert(candidate.tool.name, held_tool);
                }
                Some(_) => {}
            }
        }
        let mut state = self.state();
        for tool in held.keys().filter(|tool| !state.held.contains_key(*tool)) {
            tracing::warn!(plugin = self.prefix, tool, "a tool is held back");
        }
        state.news |= digest(&state.held) != digest(&held) || state.findings != findings;
        state.held = held;
        state.findings = findings;
        state.stamp = stamp;
        state.accepted = false;
        admitted
    }

    /// The tools of a listing that an earlier run kept which are still trusted. Nothing is seen for the first time in it,
    /// and its annotations are those that the tools were marked with here after they had been admitted.
    pub(crate) fn admit_kept(&self, kept: Vec<Tool>) -> Vec<Tool> {
        if !self.asks() {
            return kept.into_iter().map(Tool::without_hidden).collect();
        }
        let file = self.lock_file.as_ref();
        let pins = file.and_then(|file| file.read().ok().flatten());
        let listed = kept.into_iter().map(|tool| Listed {
            lists_data: pins
                .as_ref()
                .and_then(|pins| pins.get(&tool.name))
                .is_some_and(|pin| pin.lists_data),
            tool,
        });
        let candidates = self.candidates(listed.collect(), self.scan == ScanLevel::Block);
        let ours = [Definition::ANNOTATIONS];
        candidates
            .into_iter()
            .filter(|candidate| self.why_held(candidate, pins.as_ref(), &ours).is_none())
            .map(|candidate| candidate.tool)
            .collect()
    }

    /// Why a call of the tool is refused, if it is.
    pub(crate) fn refusal(&self, tool: &str) -> Option<Failure> {
        let state = self.state();
        let held = state.held.get(tool)?;
        Some(held.failure(&self.prefix, tool))
    }

    /// Whether what is held back may have been accepted since the last listing.
    pub(crate) fn may_have_opened(&self) -> bool {
        let state = self.state();
        let is_other = |file: &LockFile| file.stamp() != state.stamp;
        state.accepted || (!state.held.is_empty() && self.lock_file.as_ref().is_some_and(is_other))
    }

    /// Whether there is something else to tell than when this was last asked.
    pub(crate) fn take_news(&self) -> bool {
        std::mem::take(&mut self.state().news)
    }

    /// Whether the tool is held back.
    pub(crate) fn holds_back(&self, tool: &str) -> bool {
        self.state().held.contains_key(tool)
    }

    /// The names of the tools that are held back.
    pub(crate) fn held(&self) -> Vec<String> {
        self.state().held.keys().cloned().collect()
    }

    /// What the scan found in the last listing.
    pub(crate) fn findings(&self) -> Vec<Finding> {
        self.state().findings.clone()
    }

    /// Why the lock file is of no use, if it is not.
    pub(crate) fn trouble(&self) -> Option<String> {
        self.state().trouble.clone()
    }

    /// `{prefix, pinned, held: [{tool, why, reason, findings, diff}], findings, problem?, digest}`, as of the last listing.
    pub(crate) fn report(&self) -> Value {
        let state = self.state();
        let held = state.held.iter();
        let held: Vec<Value> = held
            .map(|(tool, held)| held.to_json(&self.prefix, tool))
            .collect();
        let mut report = json!({
            "prefix": self.prefix,
            "pinned": self.pinned,
            "held": held,
            "findings": state.findings,
            "digest": digest(&state.held),
        });
        if let Some(trouble) = &state.trouble {
            report["problem"] = json!(trouble);
        }
        report
    }

    /// Trusts what is held back, as it was when the report with that `digest` was made, or as it is. The names of what was
    /// accepted; `None` where it is not what was reported. An unreadable lock file is replaced.
    pub(crate) fn accept(&self, expected: Option<&str>) -> Result<Option<Vec<String>>, LockError> {
        let mut state = self.state();
        if expected.is_some_and(|expected| expected != digest(&state.held)) {
            return Ok(None);
        }
        let accepted: Vec<String> = state.held.keys().map(|tool| visible(tool)).collect();
        if accepted.is_empty() && state.trouble.is_none() {
            return Ok(Some(accepted));
        }
        let add = |before: Option<Pins>, memory: Option<&Pins>| {
            let nothing = || Pins {
                partial: true,
                ..Pins::default()
            };
            let known = before.or_else(|| memory.cloned());
            let mut pins = known.unwrap_or_else(nothing);
            for (tool, held) in &state.held {
                let mut pin = Pin::of(&held.now, false);
                pin.accepted_findings =
                    (!held.findings.is_empty()).then(|| scan::checksum_of(&held.findings));
                pins.tools.insert(tool.clone(), pin);
            }
            pins
        };
        match &self.lock_file {
            Some(file) => {
                file.update(true, |before| add(before, state.memory.as_ref()))?;
                state.memory = None;
                state.trouble = None;
            }
            None => {
                let pins = add(None, state.memory.as_ref());
                state.memory = Some(pins);
            }
        }
        state.accepted = true;
        Ok(Some(accepted))
    }

    /// Takes note of a tool that is offered; where nothing is pinned, a change of it within the session is one to agree to.
    pub(crate) fn note(&self, tool: &Tool) {
        if !self.pinned {
            self.session.note(&self.prefix, tool);
        }
    }

    /// Whether a tool that is offered may be called without consent: it is read-only, and it is what it was when that was
    /// judged.
    pub(crate) fn trusts(&self, tool: &Tool) -> bool {
        match self.pinned {
            true => tool.hints.read_only,
            false => self.session.trusts(tool),
        }
    }

    /// The user agreed to a call of the tool.
    pub(crate) fn agreed(&self, tool: &str) {
        self.session.agreed(tool);
    }

    /// Whether anything keeps a tool from being trusted.
    fn asks(&self) -> bool {
        self.pinned || self.scan == ScanLevel::Block
    }

    fn candidates(&self, listed: Vec<Listed>, scans: bool) -> Vec<Candidate> {
        let names = listed.iter().map(|listed| listed.tool.name.clone());
        let own: Option<HashSet<String>> = scans.then(|| names.collect());
        let candidate = |Listed { tool, lists_data }: Listed| {
            let findings = own.as_ref().map(|own| scan::scan(&tool, own));
            let findings = findings.unwrap_or_default();
            let tool = tool.without_hidden();
            let definition = Definition::of(&tool);
            Candidate {
                checksums: definition.checksums(),
                tool,
                lists_data,
                definition,
                findings,
            }
        };
        listed.into_iter().map(candidate).collect()
    }

    /// What is trusted; the first listing is, from now on. `None` where nothing is asked.
    fn pins(&self, candidates: &[Candidate], whole: bool) -> Option<Pins> {
        if !self.asks() {
            return None;
        }
        let first = || {
            let pins = candidates.iter().map(|candidate| {
                let pin = Pin::of(&candidate.definition, candidate.lists_data);
                (candidate.tool.name.clone(), pin)
            });
            Pins {
                tools: pins.collect(),
                partial: false,
            }
        };
        let is_first_sight = self.pinned && whole && !candidates.is_empty();
        let read = match &self.lock_file {
            None => Ok(None),
            Some(file) => file.read().and_then(|pins| {
                let is_whole = pins.as_ref().is_some_and(|pins| !pins.partial);
                if is_whole || !is_first_sight {
                    return Ok(pins);
                }
                let seen = |before: Option<Pins>| match before {
                    Some(before) => before.completed(first()),
                    None => first(),
                };
                file.update(false, seen).map(Some)
            }),
        };
        let mut state = self.state();
        let pins = match read {
            Ok(Some(pins)) => {
                state.memory = None;
                state.trouble = None;
                return Some(pins);
            }
            Ok(None) => state.memory.clone(),
            Err(error) => {
                tracing::warn!(plugin = self.prefix, "{error}");
                state.trouble = Some(error.to_string());
                state.memory.clone()
            }
        };
        if !is_first_sight {
            // What is seen for the first time is trusted.
            return pins.or_else(|| self.pinned.then(first));
        }
        let pins = match pins {
            Some(pins) => pins.completed(first()),
            None => first(),
        };
        state.memory = Some(pins.clone());
        Some(pins)
    }

    /// Why the tool is held back. The parts of its definition that are `ours` say nothing about the service.
    fn why_held(&self, candidate: &Candidate, pins: Option<&Pins>, ours: &[&str]) -> Option<Why> {
        let pin = pins.and_then(|pins| pins.get(&candidate.tool.name));
        if self.pinned && !candidate.lists_data {
            let mut changed = pin.map_or(Vec::new(), |pin| pin.differences(&candidate.checksums));
            changed.retain(|part| !ours.contains(part));
            if !changed.is_empty() {
                return Some(Why::Changed(changed));
            }
            if pin.is_none() && pins.is_some_and(|pins| !pins.partial) {
                return Some(Why::New);
            }
        }
        if self.scan == ScanLevel::Block && !candidate.findings.is_empty() {
            let accepted = pin.and_then(|pin| pin.accepted_findings.as_deref());
            if accepted != Some(scan::checksum_of(&candidate.findings).as_str()) {
                return Some(Why::Suspicious);
            }
        }
        None
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn digest(held: &BTreeMap<String, Held>) -> String {
    let held: Vec<String> = held
        .iter()
        .map(|(tool, held)| format!("{tool} {}", held.digest()))
        .collect();
    checksum::hex(&held.join("\n"))
}

#[cfg(test)]
mod tests;
