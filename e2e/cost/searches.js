/**
 * Twenty searches in the words of users and models, by the server of LiveMCPBench that answers them. Most are of the
 * usual servers, so that each number of plugins has some to answer.
 */
export const SEARCHES = [
	{ server: "filesystem", query: "read a file" },
	{ server: "filesystem", query: "find all files that match a pattern" },
	{ server: "filesystem", query: "how big is this file and when was it changed" },
	{ server: "filesystem", query: "edit some lines of a text file" },
	{ server: "filesystem", query: "mover un archivo a otra carpeta" },
	{ server: "git", query: "commit the staged changes" },
	{ server: "git", query: "what has changed in the working tree" },
	{ server: "git", query: "create a branch" },
	{ server: "playwright", query: "open a web page and take a screenshot" },
	{ server: "playwright", query: "fill in a form field" },
	{ server: "duckduckgo-search", query: "search the web" },
	{ server: "Context7", query: "documentation of a library" },
	{ server: "memory", query: "remember that two people know each other" },
	{ server: "taskmanager", query: "plan the tasks of a request" },
	{ server: "excel", query: "read the cells of a sheet" },
	{ server: "weather", query: "weather forecast for a city" },
	{ server: "osm-mcp-server", query: "route between two addresses by bike" },
	{ server: "biomcp", query: "clinical trials for a disease" },
	{ server: "mcp-server-chart", query: "draw a pie chart" },
	{ server: "okppt", query: "insertar una imagen en la presentación" },
];
