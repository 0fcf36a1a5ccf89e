# Completion of runnel for bash. In ~/.bashrc:
#
#   source <(runnel completions bash)

_runnel() {
    local cur=${COMP_WORDS[COMP_CWORD]} i words=() word
    # bash takes --color=always for three words.
    [[ $cur == = ]] && cur=
    for ((i = 1; i < COMP_CWORD; i++)); do
        [[ ${COMP_WORDS[i]} == = ]] || words+=("${COMP_WORDS[i]}")
    done
    words+=("$cur")
    COMPREPLY=()
    while IFS=$'\t' read -r word _; do
        case $word in
        :scripts) _runnel_files -f -X '!*.rnl' && _runnel_files -f -X '!*.rnlc' && _runnel_files -d ;;
        :files) _runnel_files -f ;;
        :folders) _runnel_files -d ;;
        *) COMPREPLY+=("$word ") ;;
        esac
    done < <(printf '%s\n' "${words[@]}" | runnel completions words 2>/dev/null)
}

# _runnel_files adds the names of files that compgen finds, each once.
_runnel_files() {
    local name
    while IFS= read -r name; do
        if [[ -d $name ]]; then
            name+=/
        else
            name+=' '
        fi
        [[ " ${COMPREPLY[*]} " == *" $name "* ]] || COMPREPLY+=("$name")
    done < <(compgen "$@" -- "$cur")
}

complete -o nospace -F _runnel runnel
