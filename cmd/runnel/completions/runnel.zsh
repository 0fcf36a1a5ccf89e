#compdef runnel
# Completion of runnel for zsh: as the file _runnel in a folder in $fpath, or in ~/.zshrc after compinit:
#
#   source <(runnel completions zsh)

_runnel() {
    local word about
    local -a found
    while IFS=$'\t' read -r word about; do
        case $word in
            :scripts) compset -P '*='; _files -g '*.rnl(c|)(-.)' ;;
            :files) compset -P '*='; _files ;;
            :folders) compset -P '*='; _files -/ ;;
            *) found+=("${word//:/\\:}:$about") ;;
        esac
    done < <(print -rl -- "${(@)words[2,CURRENT]}" | runnel completions words 2>/dev/null)
    (( $#found )) && _describe runnel found
}

if [[ $funcstack[1] == _runnel ]]; then
    _runnel "$@"
else
    compdef _runnel runnel
fi
