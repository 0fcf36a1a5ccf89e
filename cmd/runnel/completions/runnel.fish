# Completion of runnel for fish: as ~/.config/fish/completions/runnel.fish, or
#
#   runnel completions fish | source

function __runnel_complete
    set -l words (commandline -opc) (commandline -ct)
    for line in (printf '%s\n' $words[2..] | runnel completions words 2>/dev/null)
        switch $line
            case ':scripts*'
                __fish_complete_suffix .rnl
                __fish_complete_suffix .rnlc
            case ':files*'
                __fish_complete_path (commandline -ct)
            case ':folders*'
                __fish_complete_directories (commandline -ct) ''
            case '*'
                echo $line
        end
    end
end

complete -c runnel -f -a '(__runnel_complete)'
