const TOKEN = "runtime/src/serve/page/token.rs";
const PAGE = "runtime/src/serve/page.rs";
const HTTP = "runtime/src/serve/http.rs";
const ORIGIN = "runtime/src/serve/origin.rs";
const WEB = "runtime/src/serve/page/web";
const CALLS = "e2e/page/calls.test.js";
const BROWSE = "e2e/page/browse.test.js";
const ACCESS = "e2e/page/access.test.js";
const IN_BROWSER = "the page in a browser";
const OF_CALLS = "a call on the page";
const HEADERS = "every_answer_forbids_what_the_page_does_not_need";

/** @type {(import("../list.mjs").Guard | import("../list.mjs").Untested)[]} */
export const page = [
	{
		threat: "A program of this machine, or whoever knows the address, reads calls or makes them",
		file: TOKEN,
		take: "!page.0.token.is_in(request.headers())",
		leave: "{ let _ = page.0.token.is_in(request.headers()); false }",
		tests: [
			{ rust: "the_page_is_public_and_its_data_need_the_token" },
			{ rust: "the_servers_own_token_is_another_one" },
			{ js: ACCESS, name: "says what to do without the token, or with one of an earlier start", parent: IN_BROWSER },
		],
	},
	{
		threat: "A program of this machine, or whoever knows the address, reads calls or makes them",
		file: TOKEN,
		take: "(given.next(), given.next())",
		leave: "(given.next(), None)",
		tests: [{ rust: "the_page_is_public_and_its_data_need_the_token" }],
	},
	{
		threat: "The page's token is read in an address",
		file: `${WEB}/server.js`,
		take: 'history.replaceState(null, "", location.pathname);',
		tests: [
			{ js: ACCESS, name: "says what to do without the token, or with one of an earlier start", parent: IN_BROWSER },
		],
	},
	{
		threat: "A page of another origin makes calls with the page's rights (CSRF)",
		file: ORIGIN,
		take: "!allowed.origin(request.headers())",
		leave: "{ let _ = allowed.origin(request.headers()); false }",
		tests: [{ rust: "hosts_and_origins_are_checked_before_the_page" }],
	},
	{
		threat: "A name of the web that points here reads the page's data (DNS rebinding)",
		file: ORIGIN,
		take: "!allowed.host(request.headers(), request.uri())",
		leave: "{ let _ = allowed.host(request.headers(), request.uri()); false }",
		tests: [{ rust: "hosts_and_origins_are_checked_before_the_page" }],
	},
	{
		threat: "What a service calls its tools, or answers, becomes markup or a script of the page (XSS)",
		file: PAGE,
		take: "response.headers_mut().insert(name, value);",
		leave: "let _ = (&name, &value);",
		tests: [
			{ rust: HEADERS },
			{
				js: BROWSE,
				name: "names and descriptions and results that are markup as the text that they are",
				parent: "the page shows",
			},
		],
	},
	{
		threat: "Characters that nobody sees hide what the page shows or asks about",
		file: `${WEB}/dom.js`,
		take: "visible(String(child))",
		leave: "String(child)",
		tests: [
			{
				js: BROWSE,
				name: "names and descriptions and results that are markup as the text that they are",
				parent: "the page shows",
			},
		],
	},
	{
		threat: "Another page lays this one into a frame",
		file: PAGE,
		take: "response.headers_mut().insert(name, value);",
		leave: "let _ = (&name, &value);",
		tests: [
			{ rust: HEADERS },
			{ js: ACCESS, name: "cannot be read or framed by a page of another origin", parent: IN_BROWSER },
		],
	},
	{
		threat: "A change is made from the page without a person's yes",
		file: "runtime/src/serve/page/answers.rs",
		within: "Said::No => Answer::No",
		take: "Answer::No",
		leave: "Answer::Once",
		tests: [{ js: CALLS, name: "that changes something is asked about, and", parent: OF_CALLS }],
	},
	{
		threat: "A change is made from the page without a person's yes",
		file: `${WEB}/consent.js`,
		take: "no.focus();",
		leave: 'dialog.querySelector("button:last-child")?.focus();',
		tests: [
			{
				js: "e2e/page/use.test.js",
				name: "by keyboard alone, from the link to an allowed change",
				parent: "the page is used",
			},
		],
	},
	{
		threat: "A yes on the page counts for another question, a second time, or for longer than was asked",
		file: "runtime/src/serve/page/questions.rs",
		take: "self.waiting().remove(id)",
		leave: "{ let _ = id; self.waiting().drain().next().map(|(_, waiting)| waiting) }",
		tests: [{ rust: "an_answer_counts_for_its_question_and_once" }],
	},
	{
		threat: "The page is served where other machines reach it, and nobody asked for that",
		file: HTTP,
		take: "address.ip().to_canonical().is_loopback()",
		leave: "true",
		tests: [
			{ rust: "a_page_is_served_to_this_machine_alone_unless_it_is_wanted" },
			{ js: ACCESS, name: "a link is printed where this machine alone reaches the server, or where it is wanted" },
		],
	},
	{
		threat: "Event streams take up the server, or keep it from stopping",
		file: "runtime/src/serve/page/events.rs",
		take: "page.0.streams.clone().try_acquire_owned()",
		leave: "std::sync::Arc::new(tokio::sync::Semaphore::new(1)).try_acquire_owned()",
		tests: [{ rust: "event_streams_are_counted_and_end_with_the_runtime" }],
	},
];
