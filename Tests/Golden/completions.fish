# Completions of bakery for fish.
function __bakery_takes_value
    switch "$argv[1]"
        case ''
            contains -- $argv[2] --color --lifetime --until --enable --shape --output -o --store --shelf --owner
        case ' bake'
            contains -- $argv[2] --color --version --lifetime --until --enable --shape --output -o
        case ' sell'
            contains -- $argv[2] --color --store --shelf
        case ' invite'
            contains -- $argv[2] --color --owner
        case ' fail'
            contains -- $argv[2] --color
        case ' keys'
            contains -- $argv[2] --color --store
        case ' keys list'
            contains -- $argv[2] --color
        case ' keys show'
            contains -- $argv[2] --color --store
        case ' help'
            contains -- $argv[2] --color
        case ' completions'
            contains -- $argv[2] --color
        case ' man'
            contains -- $argv[2] --color
    end
end

function __bakery_is
    set -l path ''
    set -l skip 0
    set -l words (commandline -opc)
    for word in $words[2..-1]
        if test $skip = 1
            set skip 0
            continue
        end
        switch "$word"
            case '--*=*'
            case '-*'
                __bakery_takes_value "$path" $word; and set skip 1
            case '*'
                contains -- "$path $word" '' ' bake' ' sell' ' invite' ' fail' ' keys' ' keys list' ' keys show' ' help' ' completions' ' man'
                and set path "$path $word"
        end
    end
    test "$path" = "$argv[1]"
end

complete -c bakery -f
complete -c bakery -n '__bakery_is \'\'' -a bake -d 'make a loaf of flour'
complete -c bakery -n '__bakery_is \'\'' -a sell -d 'sell a loaf'
complete -c bakery -n '__bakery_is \'\'' -a invite -d 'invite guests'
complete -c bakery -n '__bakery_is \'\'' -a fail -d 'refuse'
complete -c bakery -n '__bakery_is \'\'' -a keys -d 'the keys of the bakery'
complete -c bakery -n '__bakery_is \'\'' -a help -d 'show the help of the program, of a command or of a code'
complete -c bakery -n '__bakery_is \'\'' -a completions -d 'print the completions for a shell'
complete -c bakery -n '__bakery_is \'\'' -a man -d 'print the manual page of the program or of a command'
complete -c bakery -n '__bakery_is \'\'' -s h -l help -d 'show this help'
complete -c bakery -n '__bakery_is \'\'' -l json -d 'one JSON value on standard output; an error is one JSON line on standard error'
complete -c bakery -n '__bakery_is \'\'' -s q -l quiet -d 'no notes and no progress'
complete -c bakery -n '__bakery_is \'\'' -s v -l verbose -d 'say more about what is done'
complete -c bakery -n '__bakery_is \'\'' -l color -r -a 'auto always never' -d 'colours: auto, always or never'
complete -c bakery -n '__bakery_is \'\'' -l no-input -d 'never ask on the terminal'
complete -c bakery -n '__bakery_is \'\'' -l version -d 'show the program\'s version'
complete -c bakery -n '__bakery_is \'\'' -l lifetime -r -d 'how long it keeps'
complete -c bakery -n '__bakery_is \'\'' -l until -r -d 'when it ends'
complete -c bakery -n '__bakery_is \'\'' -l enable -r -d 'switch on'
complete -c bakery -n '__bakery_is \'\'' -l shape -r -a 'round long' -d 'its shape'
complete -c bakery -n '__bakery_is \'\'' -s o -l output -r -F -d 'write to this file'
complete -c bakery -n '__bakery_is \'\'' -s f -l force -d 'replace a file that is there'
complete -c bakery -n '__bakery_is \'\'' -s n -l dry-run -d 'show what would change'
complete -c bakery -n '__bakery_is \'\'' -l batch -d 'one request a line'
complete -c bakery -n '__bakery_is \'\'' -l store -r -d 'where it is sold'
complete -c bakery -n '__bakery_is \'\'' -l shelf -r -a '(__fish_complete_directories (commandline -ct))' -d 'the shelf'
complete -c bakery -n '__bakery_is \'\'' -l owner -r -d 'who it belongs to'
complete -c bakery -n '__bakery_is \' bake\'' -s h -l help -d 'show this help'
complete -c bakery -n '__bakery_is \' bake\'' -l json -d 'one JSON value on standard output; an error is one JSON line on standard error'
complete -c bakery -n '__bakery_is \' bake\'' -s q -l quiet -d 'no notes and no progress'
complete -c bakery -n '__bakery_is \' bake\'' -s v -l verbose -d 'say more about what is done'
complete -c bakery -n '__bakery_is \' bake\'' -l color -r -a 'auto always never' -d 'colours: auto, always or never'
complete -c bakery -n '__bakery_is \' bake\'' -l no-input -d 'never ask on the terminal'
complete -c bakery -n '__bakery_is \' bake\'' -l version -r -d 'the version of the loaf'
complete -c bakery -n '__bakery_is \' bake\'' -l lifetime -r -d 'how long it keeps'
complete -c bakery -n '__bakery_is \' bake\'' -l until -r -d 'when it ends'
complete -c bakery -n '__bakery_is \' bake\'' -l enable -r -d 'switch on'
complete -c bakery -n '__bakery_is \' bake\'' -l shape -r -a 'round long' -d 'its shape'
complete -c bakery -n '__bakery_is \' bake\'' -s o -l output -r -F -d 'write to this file'
complete -c bakery -n '__bakery_is \' bake\'' -s f -l force -d 'replace a file that is there'
complete -c bakery -n '__bakery_is \' bake\'' -s n -l dry-run -d 'show what would change'
complete -c bakery -n '__bakery_is \' bake\'' -a '(__fish_complete_directories (commandline -ct))'
complete -c bakery -n '__bakery_is \' sell\'' -s h -l help -d 'show this help'
complete -c bakery -n '__bakery_is \' sell\'' -l json -d 'one JSON value on standard output; an error is one JSON line on standard error'
complete -c bakery -n '__bakery_is \' sell\'' -s q -l quiet -d 'no notes and no progress'
complete -c bakery -n '__bakery_is \' sell\'' -s v -l verbose -d 'say more about what is done'
complete -c bakery -n '__bakery_is \' sell\'' -l color -r -a 'auto always never' -d 'colours: auto, always or never'
complete -c bakery -n '__bakery_is \' sell\'' -l no-input -d 'never ask on the terminal'
complete -c bakery -n '__bakery_is \' sell\'' -l batch -d 'one request a line'
complete -c bakery -n '__bakery_is \' sell\'' -l store -r -d 'where it is sold'
complete -c bakery -n '__bakery_is \' sell\'' -l shelf -r -a '(__fish_complete_directories (commandline -ct))' -d 'the shelf'
complete -c bakery -n '__bakery_is \' sell\'' -F
complete -c bakery -n '__bakery_is \' invite\'' -s h -l help -d 'show this help'
complete -c bakery -n '__bakery_is \' invite\'' -l json -d 'one JSON value on standard output; an error is one JSON line on standard error'
complete -c bakery -n '__bakery_is \' invite\'' -s q -l quiet -d 'no notes and no progress'
complete -c bakery -n '__bakery_is \' invite\'' -s v -l verbose -d 'say more about what is done'
complete -c bakery -n '__bakery_is \' invite\'' -l color -r -a 'auto always never' -d 'colours: auto, always or never'
complete -c bakery -n '__bakery_is \' invite\'' -l no-input -d 'never ask on the terminal'
complete -c bakery -n '__bakery_is \' invite\'' -l owner -r -d 'who it belongs to'
complete -c bakery -n '__bakery_is \' fail\'' -s h -l help -d 'show this help'
complete -c bakery -n '__bakery_is \' fail\'' -l json -d 'one JSON value on standard output; an error is one JSON line on standard error'
complete -c bakery -n '__bakery_is \' fail\'' -s q -l quiet -d 'no notes and no progress'
complete -c bakery -n '__bakery_is \' fail\'' -s v -l verbose -d 'say more about what is done'
complete -c bakery -n '__bakery_is \' fail\'' -l color -r -a 'auto always never' -d 'colours: auto, always or never'
complete -c bakery -n '__bakery_is \' fail\'' -l no-input -d 'never ask on the terminal'
complete -c bakery -n '__bakery_is \' keys\'' -a list -d 'list the keys'
complete -c bakery -n '__bakery_is \' keys\'' -a show -d 'show a key\'s "bow"'
complete -c bakery -n '__bakery_is \' keys\'' -s h -l help -d 'show this help'
complete -c bakery -n '__bakery_is \' keys\'' -l json -d 'one JSON value on standard output; an error is one JSON line on standard error'
complete -c bakery -n '__bakery_is \' keys\'' -s q -l quiet -d 'no notes and no progress'
complete -c bakery -n '__bakery_is \' keys\'' -s v -l verbose -d 'say more about what is done'
complete -c bakery -n '__bakery_is \' keys\'' -l color -r -a 'auto always never' -d 'colours: auto, always or never'
complete -c bakery -n '__bakery_is \' keys\'' -l no-input -d 'never ask on the terminal'
complete -c bakery -n '__bakery_is \' keys\'' -l store -r -d 'where it is sold'
complete -c bakery -n '__bakery_is \' keys list\'' -s h -l help -d 'show this help'
complete -c bakery -n '__bakery_is \' keys list\'' -l json -d 'one JSON value on standard output; an error is one JSON line on standard error'
complete -c bakery -n '__bakery_is \' keys list\'' -s q -l quiet -d 'no notes and no progress'
complete -c bakery -n '__bakery_is \' keys list\'' -s v -l verbose -d 'say more about what is done'
complete -c bakery -n '__bakery_is \' keys list\'' -l color -r -a 'auto always never' -d 'colours: auto, always or never'
complete -c bakery -n '__bakery_is \' keys list\'' -l no-input -d 'never ask on the terminal'
complete -c bakery -n '__bakery_is \' keys show\'' -s h -l help -d 'show this help'
complete -c bakery -n '__bakery_is \' keys show\'' -l json -d 'one JSON value on standard output; an error is one JSON line on standard error'
complete -c bakery -n '__bakery_is \' keys show\'' -s q -l quiet -d 'no notes and no progress'
complete -c bakery -n '__bakery_is \' keys show\'' -s v -l verbose -d 'say more about what is done'
complete -c bakery -n '__bakery_is \' keys show\'' -l color -r -a 'auto always never' -d 'colours: auto, always or never'
complete -c bakery -n '__bakery_is \' keys show\'' -l no-input -d 'never ask on the terminal'
complete -c bakery -n '__bakery_is \' keys show\'' -l store -r -d 'where it is sold'
complete -c bakery -n '__bakery_is \' help\'' -s h -l help -d 'show this help'
complete -c bakery -n '__bakery_is \' help\'' -l json -d 'one JSON value on standard output; an error is one JSON line on standard error'
complete -c bakery -n '__bakery_is \' help\'' -s q -l quiet -d 'no notes and no progress'
complete -c bakery -n '__bakery_is \' help\'' -s v -l verbose -d 'say more about what is done'
complete -c bakery -n '__bakery_is \' help\'' -l color -r -a 'auto always never' -d 'colours: auto, always or never'
complete -c bakery -n '__bakery_is \' help\'' -l no-input -d 'never ask on the terminal'
complete -c bakery -n '__bakery_is \' help\'' -a 'bake sell invite fail keys help completions man'
complete -c bakery -n '__bakery_is \' completions\'' -s h -l help -d 'show this help'
complete -c bakery -n '__bakery_is \' completions\'' -l json -d 'one JSON value on standard output; an error is one JSON line on standard error'
complete -c bakery -n '__bakery_is \' completions\'' -s q -l quiet -d 'no notes and no progress'
complete -c bakery -n '__bakery_is \' completions\'' -s v -l verbose -d 'say more about what is done'
complete -c bakery -n '__bakery_is \' completions\'' -l color -r -a 'auto always never' -d 'colours: auto, always or never'
complete -c bakery -n '__bakery_is \' completions\'' -l no-input -d 'never ask on the terminal'
complete -c bakery -n '__bakery_is \' completions\'' -a 'bash zsh fish'
complete -c bakery -n '__bakery_is \' man\'' -s h -l help -d 'show this help'
complete -c bakery -n '__bakery_is \' man\'' -l json -d 'one JSON value on standard output; an error is one JSON line on standard error'
complete -c bakery -n '__bakery_is \' man\'' -s q -l quiet -d 'no notes and no progress'
complete -c bakery -n '__bakery_is \' man\'' -s v -l verbose -d 'say more about what is done'
complete -c bakery -n '__bakery_is \' man\'' -l color -r -a 'auto always never' -d 'colours: auto, always or never'
complete -c bakery -n '__bakery_is \' man\'' -l no-input -d 'never ask on the terminal'
complete -c bakery -n '__bakery_is \' man\'' -a 'bake sell invite fail keys help completions man'
