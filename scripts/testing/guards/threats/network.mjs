const INNER = "runtime/src/network/guard.rs";
const CLIENT = "runtime/src/network/client.rs";
const CONNECTIONS = "runtime/src/serve/connections.rs";
const ORIGIN = "runtime/src/serve/origin.rs";
const KEPT = "runtime/src/reply/kept.rs";
const LIMITS = "e2e/http/limits.test.js";

/** @type {(import("../list.mjs").Guard | import("../list.mjs").Untested)[]} */
export const network = [
	{
		threat: "A service redirects to an address that only this machine reaches",
		file: CLIENT,
		take: "self.guard.check(&url)?;",
		tests: [{ rust: "a_redirect_to_an_inner_address_is_refused_in_every_spelling" }],
	},
	{
		threat: "A service redirects to an address that only this machine reaches",
		file: "runtime/src/network/address.rs",
		within: "IpAddr::V4(address) => special_v4(address)",
		take: "special_v4(address)",
		leave: "None",
		tests: [
			{ rust: "odd_spellings_of_inner_addresses_are_refused" },
			{ rust: "special_addresses_are_known_at_both_ends_of_their_ranges" },
		],
	},
	{
		threat: "A service redirects to an address that only this machine reaches",
		file: "runtime/src/network/address.rs",
		take: "NAT64.contains(&address)",
		leave: "false",
		tests: [{ rust: "special_addresses_are_known_at_both_ends_of_their_ranges" }],
	},
	{
		threat: "A public name resolves to an inner address",
		file: INNER,
		take: "self.check_address(address.ip(), Some(&host))?;",
		tests: [
			{ rust: "resolved_addresses_are_checked_too" },
			{ rust: "a_name_that_resolves_to_an_inner_address_is_not_connected_to" },
		],
	},
	{
		threat: "A public name resolves to an inner address",
		file: CLIENT,
		take: "builder(self.limit).no_proxy().dns_resolver(resolver)",
		leave: "{ drop(resolver); builder(self.limit).no_proxy() }",
		tests: [{ rust: "a_name_that_resolves_to_an_inner_address_is_not_connected_to" }],
	},
	{
		threat: "An inner name is left to a proxy to resolve",
		file: "runtime/src/network/name.rs",
		take: "single() || private()",
		leave: "false",
		tests: [{ rust: "names_of_private_networks_are_known" }, { rust: "odd_spellings_of_inner_addresses_are_refused" }],
	},
	{
		threat: "The configured host is used as a way to its other ports",
		file: CLIENT,
		take: "self.trusted.contains(&url.origin())",
		leave:
			"self.trusted.iter().any(|known| matches!((known, url.origin()), (Origin::Tuple(_, a, _), Origin::Tuple(_, b, _)) if *a == b))",
		tests: [
			{ rust: "another_port_of_the_configured_host_is_another_place" },
			{ rust: "what_is_configured_is_asked_at_that_origin_alone" },
		],
	},
	{
		threat: "A document from the network names an inner server",
		file: "runtime/src/adapter/openapi/servers.rs",
		take: "self.settings.base_url.is_some() || self.document.is_none()",
		leave: "true",
		tests: [{ rust: "a_document_from_the_network_names_no_inner_server_and_leads_to_none" }],
	},
	{
		threat: "A project's file opens the user's network",
		file: "runtime/src/plugin/configured.rs",
		take: "chosen_by == ChosenBy::User || network.allow.is_empty()",
		leave: "true",
		tests: [{ rust: "a_project_opens_no_network" }],
	},
	{
		threat: "A remote MCP server names an authorization server of this machine",
		file: "runtime/src/adapter/oauth/reach.rs",
		take: "is_loopback(server)",
		leave: "true",
		tests: [{ rust: "only_https_or_this_machine" }],
	},
	{
		threat: "A remote MCP server names an authorization server of this machine",
		file: "runtime/src/adapter/oauth/exchange.rs",
		take: "is_loopback(server)",
		leave: "true",
		tests: [{ rust: "a_server_elsewhere_leads_to_no_inner_address" }],
	},
	{
		threat: "A credential follows a redirect",
		file: "runtime/src/adapter/openapi/exchange.rs",
		take: "self.own_origin && url.origin() == self.url.origin()",
		leave: "true",
		tests: [{ rust: "an_openapi_service_leads_no_credential_elsewhere" }],
	},
	{
		threat: "A credential follows a redirect",
		file: "runtime/src/adapter/openapi/exchange.rs",
		take: "without_query(&mut url, &applied.query);",
		tests: [{ rust: "an_openapi_service_leads_no_credential_elsewhere" }],
	},
	{
		threat: "A credential follows a redirect",
		file: "runtime/src/adapter/mcp_http/endpoint.rs",
		take: "url.origin() != own.origin()",
		leave: "false",
		tests: [{ rust: "an_mcp_server_leads_no_credential_elsewhere" }],
	},
	{
		threat: "A credential follows a redirect",
		file: "runtime/src/adapter/mcp_http/endpoint.rs",
		take: "next.origin() != from.origin()",
		leave: "false",
		tests: [{ rust: "an_mcp_server_leads_no_credential_elsewhere" }],
	},
	{
		threat: "A credential follows a redirect",
		file: CLIENT,
		take: "Policy::none()",
		leave: "Policy::limited(10)",
		tests: [{ rust: "a_client_secret_goes_to_the_configured_token_url_alone" }],
	},
	{
		threat: "An answer that unfolds without end",
		file: "runtime/src/adapter/openapi/decode.rs",
		take: "out.len() > limit",
		leave: "false",
		tests: [{ rust: "compressed_bytes_come_back_and_bombs_end_at_the_limit" }],
	},
	{
		threat: "An answer that unfolds without end",
		file: "runtime/src/adapter/openapi/decode.rs",
		take: "encoding.split(',').count() > MAX_LAYERS",
		leave: "false",
		tests: [{ rust: "compressed_bytes_come_back_and_bombs_end_at_the_limit" }],
	},
	{
		threat: "Slow clients of our HTTP transport hold connections",
		file: CONNECTIONS,
		within: ".header_read_timeout(limits.patience)",
		take: "limits.patience",
		leave: "Duration::from_secs(3600)",
		tests: [
			{ js: LIMITS, name: "who says nothing" },
			{ js: LIMITS, name: "who never ends the head of a request" },
			{ js: LIMITS, name: "who sends a byte now and then" },
			{ js: LIMITS, name: "who keeps a connection and asks nothing more" },
		],
	},
	{
		threat: "Slow clients of our HTTP transport hold connections",
		file: CONNECTIONS,
		take: "stream.set_write_timeout(Some(limits.patience));",
		tests: [{ js: LIMITS, name: "who takes nothing of a long answer" }],
	},
	{
		threat: "Slow clients of our HTTP transport hold connections",
		file: "runtime/src/serve/body.rs",
		within: "tokio::time::timeout(limit.patience",
		take: "limit.patience",
		leave: "Duration::from_secs(3600)",
		tests: [
			{ js: LIMITS, name: "who never sends the body" },
			{ js: LIMITS, name: "who never ends a chunked body" },
		],
	},
	{
		threat: "Floods of headers, connections, requests",
		file: CONNECTIONS,
		take: "limits.connections.min(Semaphore::MAX_PERMITS)",
		leave: "Semaphore::MAX_PERMITS",
		tests: [{ js: LIMITS, name: "connections over the limit are told so" }],
	},
	{
		threat: "Floods of headers, connections, requests",
		file: "runtime/src/serve/capacity.rs",
		take: "requests.min(Semaphore::MAX_PERMITS)",
		leave: "Semaphore::MAX_PERMITS",
		tests: [{ js: LIMITS, name: "requests over the limit are told so" }],
	},
	{
		threat: "The transport listens beyond this machine without a token",
		file: "runtime/src/serve/listener.rs",
		take: "open && options.token.is_none()",
		leave: "false",
		tests: [{ rust: "only_a_token_opens_it_to_other_machines" }, { js: LIMITS, name: "nothing is listened on" }],
	},
	{
		threat: "The transport listens beyond this machine without a token",
		file: "runtime/src/serve/listener.rs",
		take: "check_token(token)?;",
		tests: [{ rust: "a_token_that_keeps_nobody_out_is_refused" }, { js: LIMITS, name: "nothing is listened on" }],
	},
	{
		threat: "A wrong, doubled or Basic `Authorization` passes",
		file: "runtime/src/serve/access.rs",
		take: "bool::from(given.as_bytes().ct_eq(wanted.as_bytes()))",
		leave: "true",
		tests: [{ js: LIMITS, name: "only the one right token counts" }],
	},
	{
		threat: "A wrong, doubled or Basic `Authorization` passes",
		file: "runtime/src/serve/access.rs",
		take: "(values.next(), values.next())",
		leave: "(values.next(), None::<&HeaderValue>)",
		tests: [{ js: LIMITS, name: "only the one right token counts" }],
	},
	{
		threat: "A wrong, doubled or Basic `Authorization` passes",
		file: "runtime/src/serve/access.rs",
		take: `scheme.eq_ignore_ascii_case("bearer")`,
		leave: "true",
		tests: [{ js: LIMITS, name: "only the one right token counts" }],
	},
	{
		threat: "A page of the web reaches the transport",
		file: ORIGIN,
		take: "!allowed.host(request.headers(), request.uri())",
		leave: "false",
		tests: [{ js: LIMITS, name: "a page whose name points here is refused, and so is whatever is unclear" }],
	},
	{
		threat: "A page of the web reaches the transport",
		file: ORIGIN,
		take: "!allowed.origin(request.headers())",
		leave: "false",
		tests: [{ js: LIMITS, name: "a page whose name points here is refused, and so is whatever is unclear" }],
	},
	{
		threat: "A page of the web reaches the transport",
		file: ORIGIN,
		take: "(hosts.next(), hosts.next())",
		leave: "(hosts.next(), None::<&axum::http::HeaderValue>)",
		tests: [
			{ rust: "origin::tests::hosts" },
			{ js: LIMITS, name: "a page whose name points here is refused, and so is whatever is unclear" },
		],
	},
	{
		threat: "A page of the web reaches the transport",
		file: ORIGIN,
		take: "web && is_plain(authority) && is_loopback(authority)",
		leave: "web",
		tests: [{ rust: "origin::tests::origins" }],
	},
	{
		// The guard is that nothing is written; without it there is a header.
		threat: "A page of another origin reads an answer",
		file: ORIGIN,
		take: "next.run(request).await",
		leave:
			'{ let mut answer = next.run(request).await; answer.headers_mut().insert("access-control-allow-origin", axum::http::HeaderValue::from_static("*")); answer }',
		tests: [{ js: LIMITS, name: "no page of another origin is let to read an answer" }],
	},
	{
		threat: "A client reads on in another's long result",
		file: KEPT,
		take: "result.session.is_none() || result.session == session()",
		leave: "true",
		tests: [
			{ rust: "another_session_reads_nothing" },
			{ js: LIMITS, name: "a client reads on in its own long results only" },
		],
	},
	{
		threat: "A client reads on in another's long result",
		file: KEPT,
		take: "u128::from_be_bytes(bits)",
		leave:
			"{ static LAST: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0); u128::from(LAST.fetch_add(1, std::sync::atomic::Ordering::Relaxed)) }",
		tests: [{ rust: "ids_have_128_random_bits" }],
	},
	{
		threat: "A client reads on in another's long result",
		file: KEPT,
		take: "now.duration_since(oldest.since) >= LIFETIME",
		leave: "false",
		tests: [{ rust: "nothing_is_kept_longer_than_its_lifetime" }],
	},
];
