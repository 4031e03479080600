//! What reaches a service is valid and is what was sent; anything else reaches nobody.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::{
    call::{Consent, Origin, Shape, consent, origin, shape},
    cases,
    dice::{Dice, dice},
    json::json,
    schema::{InputSchema, input_schema},
    service::{SKILL, Service, TOOL},
};

/// The ways to call something of a plugin.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Door {
    Call,
    RunSkill,
    FlatTool,
    FlatSkill,
}

impl Door {
    fn is_flat(self) -> bool {
        matches!(self, Self::FlatTool | Self::FlatSkill)
    }
}

#[derive(Debug, Clone)]
struct Case {
    door: Door,
    schema: InputSchema,
    read_only: bool,
    shape: Shape,
    consent: Consent,
    origin: Origin,
    dice: Dice,
}

fn case() -> impl Strategy<Value = Case> {
    let doors = vec![
        Door::Call,
        Door::Call,
        Door::FlatTool,
        Door::RunSkill,
        Door::FlatSkill,
    ];
    let door = prop::sample::select(doors);
    (
        door,
        input_schema(),
        any::<bool>(),
        shape(),
        consent(),
        origin(),
        dice(),
    )
        .prop_map(
            |(door, schema, read_only, shape, consent, origin, dice)| Case {
                door,
                schema,
                read_only,
                shape,
                consent,
                origin,
                dice,
            },
        )
}

impl Case {
    /// The arguments of the call that a client makes, and those of the tool among them.
    fn sent(&self) -> (Value, Map<String, Value>) {
        let mut own = self.origin.arguments(&self.schema, &mut self.dice.clone());
        let call = match self.door {
            Door::Call => self
                .shape
                .call("toolName", TOOL, own.clone(), &self.consent),
            Door::RunSkill => self.shape.call("skill", SKILL, own.clone(), &self.consent),
            _ => {
                if let Some(consent) = &self.consent.0 {
                    own.insert("confirm".into(), consent.clone());
                }
                match &self.shape {
                    Shape::Anything(value) => value.clone(),
                    _ => Value::Object(own.clone()),
                }
            }
        };
        (call, own)
    }

    /// Whether the call is written as the documentation says and agrees to what it does, so that only its arguments
    /// decide.
    fn is_plain(&self, own: &Map<String, Value>) -> bool {
        let agreed = match &self.consent.0 {
            None => self.read_only,
            Some(said) => *said == json!(true),
        };
        let only_key = own.keys().next().filter(|_| own.len() == 1);
        let has_other_reading =
            only_key.is_some_and(|key| key == "arguments" || key.trim_start().starts_with('{'));
        let is_said_twice =
            own.contains_key("confirm") && (self.door.is_flat() || self.consent.0.is_none());
        match self.door {
            Door::Call | Door::RunSkill => {
                matches!(self.shape, Shape::Plain) && agreed && !has_other_reading
            }
            _ => {
                let undeclared =
                    !self.schema.declares("confirm") && self.consent.0.is_none() && !is_said_twice;
                !matches!(self.shape, Shape::Anything(_))
                    && self.read_only
                    && undeclared
                    && !has_other_reading
            }
        }
    }
}

/// What a call means when nothing in it is repaired.
fn unrepaired(case: &Case, sent: &Value) -> Option<Value> {
    let mut arguments = match case.door.is_flat() {
        true => Some(sent),
        false => sent.get("arguments"),
    };
    if let Some(Value::String(text)) = arguments
        && text.trim().is_empty()
    {
        arguments = None;
    }
    match arguments {
        None | Some(Value::Null) => Some(json!({})),
        Some(Value::Object(map)) => {
            let mut map = map.clone();
            if case.door.is_flat() && !case.schema.declares("confirm") {
                map.shift_remove("confirm");
            }
            Some(Value::Object(map))
        }
        Some(_) => None,
    }
}

/// Every value that could be meant by the arguments: the call itself, what is inside it, and what is inside that.
fn readings(value: &Value, levels: usize, found: &mut Vec<Value>) {
    let value = loosened(value.clone());
    match value.get("arguments") {
        Some(inner) if levels > 0 => readings(inner, levels - 1, found),
        Some(_) => {}
        // A call without arguments has none.
        None => found.push(json!({})),
    }
    found.push(value);
}

/// A value in which nothing is left for a repair: texts that spell JSON are read, and nulls of objects are left out.
fn loosened(value: Value) -> Value {
    match value {
        Value::String(text) => match serde_json::from_str::<Value>(&text) {
            Ok(value) => loosened(value),
            Err(_) => Value::String(text),
        },
        Value::Array(items) => items.into_iter().map(loosened).collect(),
        Value::Object(map) => {
            let fields = map.into_iter().map(|(key, value)| (key, loosened(value)));
            Value::Object(fields.filter(|(_, value)| !value.is_null()).collect())
        }
        other => other,
    }
}

fn is_repaired(content: &[Value]) -> bool {
    content
        .iter()
        .filter_map(|part| part["text"].as_str())
        .filter_map(|text| serde_json::from_str::<Value>(text).ok())
        .any(|payload| payload.get("notes").is_some())
}

proptest! {
    #![proptest_config(cases(800))]

    #[test]
    fn a_call_arrives_valid_and_as_it_was_sent_or_not_at_all(case in case()) {
        let (sent, own) = case.sent();
        let answer = json!({"content": [], "done": true});
        let service = Service::new(case.schema.declared(), case.read_only, answer);
        let reply = match case.door {
            Door::Call => service.call("agent_tools_p_call", sent.clone()),
            Door::RunSkill => service.call("agent_tools_p_run_skill", sent.clone()),
            Door::FlatTool => service.call_flat(TOOL, sent.clone()),
            Door::FlatSkill => service.call_flat("skill_recipe", sent.clone()),
        };
        let received = service.received();
        prop_assert_eq!(received.len(), usize::from(!reply.is_error), "{:?}", reply.content);

        let meaning = jsonschema::options().build(&case.schema.meaning()).unwrap();
        if let [arrived] = received.as_slice() {
            prop_assert!(meaning.is_valid(arrived), "{} arrived", arrived);
            prop_assert!(case.read_only || sent.to_string().contains("confirm"), "nobody agreed");
            if is_repaired(&reply.content) {
                let mut meant = sent.clone();
                if case.door.is_flat() && !case.schema.declares("confirm") {
                    meant.as_object_mut().unwrap().shift_remove("confirm");
                }
                let mut found = Vec::new();
                readings(&meant, 3, &mut found);
                prop_assert!(found.contains(&loosened(arrived.clone())), "{} arrived, of {}", arrived, sent);
            } else {
                prop_assert_eq!(Some(arrived.clone()), unrepaired(&case, &sent));
            }
        }
        if case.is_plain(&own) && meaning.is_valid(&Value::Object(own.clone())) {
            prop_assert!(!reply.is_error, "a valid call was refused: {:?}", reply.content);
            prop_assert!(!is_repaired(&reply.content), "a valid call was changed: {:?}", reply.content);
        }
    }
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn what_only_reads_here_reaches_no_service(arguments in json(), id in json(), page in json()) {
        let service = Service::new(json!({}), false, json!({"content": []}));
        service.call("agent_tools_p_discover", arguments.clone());
        service.call("agent_tools_help", arguments.clone());
        service.call_flat("read_more", arguments);
        let place = json!({"id": id, "page": page});
        service.call_flat("read_more", place.clone());
        service.call("agent_tools_p_call", json!({"toolName": "read_more", "arguments": place}));
        prop_assert!(service.received().is_empty());
    }

    #[test]
    fn a_name_that_is_not_listed_reaches_no_service(name in "(agent_tools_)?(p_)?(call|act|skill_recipe|.{0,8})", arguments in json()) {
        let known = ["agent_tools_p_call", TOOL, "skill_recipe"];
        if known.contains(&name.as_str()) {
            return Ok(());
        }
        let service = Service::new(json!({}), true, json!({"content": []}));
        service.attempt(&name, arguments);
        prop_assert!(service.received().is_empty());
    }
}
