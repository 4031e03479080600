#!/bin/sh
# A small MCP server over stdio, of which a hundred fit into memory: sh server.sh <tools.json> <starts.log>
#
# It lists what <tools.json> holds at the moment, a JSON array on one line, and adds its process id to <starts.log> when it
# starts. Every tool answers with the process id; a few do something before, by their names.

tools=$1
echo $$ >>"$2"
changed='{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}'

answer() {
	printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$1"
}

# Ends with stdin.
while IFS= read -r line; do
	id=${line#*\"id\":}
	id=${id%%[,\}]*}
	case $line in
	*'"method":"initialize"'*)
		answer '{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"small","version":"0"}}'
		;;
	*'"method":"tools/list"'*)
		listed=$(cat "$tools")
		case $listed in
		*'"announced_while_listed"'*) echo "$changed" ;;
		esac
		answer "{\"tools\":$listed}"
		;;
	*'"method":"tools/call"'*)
		case $line in
		*'"name":"slow"'*) sleep 1 ;;
		*'"name":"crash"'*) exit 3 ;;
		*'"name":"announce"'*) echo "$changed" ;;
		esac
		answer "{\"content\":[{\"type\":\"text\",\"text\":\"$$\"}]}"
		;;
	*'"method":"ping"'*)
		answer '{}'
		;;
	esac
done
