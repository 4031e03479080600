# What zsh offers for each line of stdin, with a line of "." at its end: a zsh on a terminal of its own, in which the line is
# typed and Tab pressed.
zmodload zsh/zpty
while IFS= read -r line; do
	offered=$(mktemp)
	zpty typist "OFFERED=$offered zsh -f -i"
	zpty -w typist "source ${0:A:h}/terminal.zsh ${(q)1}"
	zpty -r typist seen '*READY*'
	zpty -n -w typist "$line"$'\t'
	# It ends when it has offered something.
	while zpty -r typist seen; do :; done
	zpty -d typist
	cat $offered
	rm $offered
	echo .
done
