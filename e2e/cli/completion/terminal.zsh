# In the zsh on that terminal: Tab writes down what is offered, and ends it.
PROMPT=
fpath=(${(M)fpath:#/*})
autoload -Uz compinit && compinit -u -D
source $1
bindkey '^I' complete-word
compadd() {
	if [[ " ${@[1,(i)--]} " != *" "-[OAD]" "* ]]; then
		local -a offered
		builtin compadd -O offered "$@"
		print -rl -- $offered >> $OFFERED
	fi
	builtin compadd "$@"
}
finish() { exit }
comppostfuncs=(finish)
echo READY
