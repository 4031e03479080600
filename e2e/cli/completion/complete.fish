# What fish offers for each line of stdin, with a line of "." at its end.
source $argv[1]
while read -l line
	complete -C "$line" | string replace -r '\t.*' ''
	echo .
end
