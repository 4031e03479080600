# What bash offers for each line of stdin, with a line of "." at its end. bash itself takes a line apart at `=` and `:` too.
source "$1"
while IFS= read -r line; do
	COMP_WORDS=()
	rest="$line"
	while [[ $rest =~ ^(\ *)([^\ =]+|=)(.*)$ ]]; do
		COMP_WORDS+=("${BASH_REMATCH[2]}")
		rest="${BASH_REMATCH[3]}"
	done
	[[ $line == *" " ]] && COMP_WORDS+=("")
	COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
	[[ $(complete -p "${COMP_WORDS[0]}") =~ -F\ ([^ ]+) ]]
	"${BASH_REMATCH[1]}"
	for word in "${COMPREPLY[@]}"; do printf '%s\n' "$word"; done
	echo .
done
