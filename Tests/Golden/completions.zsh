#compdef bakery
# Completions of bakery for zsh.

_bakery() {
    local curcontext="$curcontext" state line
    local -a commands
    commands=(
        'bake:make a loaf of flour'
        'sell:sell a loaf'
        'invite:invite guests'
        'fail:refuse'
        'keys:the keys of the bakery'
        'help:show the help of the program, of a command or of a code'
        'completions:print the completions for a shell'
        'man:print the manual page of the program or of a command'
    )
    _arguments -C -s -S \
        '(--help -h)--help[show this help]' \
        '(--help -h)-h[show this help]' \
        '(--json)--json[one JSON value on standard output; an error is one JSON line on standard error]' \
        '(--quiet -q)--quiet[no notes and no progress]' \
        '(--quiet -q)-q[no notes and no progress]' \
        '(--verbose -v)--verbose[say more about what is done]' \
        '(--verbose -v)-v[say more about what is done]' \
        '(--color)--color=[colours\: auto, always or never]:WHEN:(auto always never)' \
        '(--no-input)--no-input[never ask on the terminal]' \
        '(--version)--version[show the program'\''s version]' \
        '(--lifetime)--lifetime=[how long it keeps]:D: ' \
        '(--until)--until=[when it ends]:T: ' \
        '*--enable=[switch on]:ID: ' \
        '(--shape)--shape=[its shape]:SHAPE:(round long)' \
        '(--output -o)--output=[write to this file]:FILE:_files' \
        '(--output -o)-o+[write to this file]:FILE:_files' \
        '(--force -f)--force[replace a file that is there]' \
        '(--force -f)-f[replace a file that is there]' \
        '(--dry-run -n)--dry-run[show what would change]' \
        '(--dry-run -n)-n[show what would change]' \
        '(--batch)--batch[one request a line]' \
        '(--store)--store=[where it is sold]:STORE: ' \
        '(--shelf)--shelf=[the shelf]:DIR:_files -/' \
        '(--owner)--owner=[who it belongs to]:NAME: ' \
        '1: :->command' '*:: :->rest'
    case $state in
    command) _describe -t commands command commands ;;
    rest)
        case $words[1] in
        bake) _bakery__bake ;;
        sell) _bakery__sell ;;
        invite) _bakery__invite ;;
        fail) _bakery__fail ;;
        keys) _bakery__keys ;;
        help) _bakery__help ;;
        completions) _bakery__completions ;;
        man) _bakery__man ;;
        esac
        ;;
    esac
}

_bakery__bake() {
    _arguments -s -S \
        '(--help -h)--help[show this help]' \
        '(--help -h)-h[show this help]' \
        '(--json)--json[one JSON value on standard output; an error is one JSON line on standard error]' \
        '(--quiet -q)--quiet[no notes and no progress]' \
        '(--quiet -q)-q[no notes and no progress]' \
        '(--verbose -v)--verbose[say more about what is done]' \
        '(--verbose -v)-v[say more about what is done]' \
        '(--color)--color=[colours\: auto, always or never]:WHEN:(auto always never)' \
        '(--no-input)--no-input[never ask on the terminal]' \
        '(--version)--version=[the version of the loaf]:N: ' \
        '(--lifetime)--lifetime=[how long it keeps]:D: ' \
        '(--until)--until=[when it ends]:T: ' \
        '*--enable=[switch on]:ID: ' \
        '(--shape)--shape=[its shape]:SHAPE:(round long)' \
        '(--output -o)--output=[write to this file]:FILE:_files' \
        '(--output -o)-o+[write to this file]:FILE:_files' \
        '(--force -f)--force[replace a file that is there]' \
        '(--force -f)-f[replace a file that is there]' \
        '(--dry-run -n)--dry-run[show what would change]' \
        '(--dry-run -n)-n[show what would change]' \
        '*:operand:_files -/'
}

_bakery__sell() {
    _arguments -s -S \
        '(--help -h)--help[show this help]' \
        '(--help -h)-h[show this help]' \
        '(--json)--json[one JSON value on standard output; an error is one JSON line on standard error]' \
        '(--quiet -q)--quiet[no notes and no progress]' \
        '(--quiet -q)-q[no notes and no progress]' \
        '(--verbose -v)--verbose[say more about what is done]' \
        '(--verbose -v)-v[say more about what is done]' \
        '(--color)--color=[colours\: auto, always or never]:WHEN:(auto always never)' \
        '(--no-input)--no-input[never ask on the terminal]' \
        '(--batch)--batch[one request a line]' \
        '(--store)--store=[where it is sold]:STORE: ' \
        '(--shelf)--shelf=[the shelf]:DIR:_files -/' \
        '*:operand:_files'
}

_bakery__invite() {
    _arguments -s -S \
        '(--help -h)--help[show this help]' \
        '(--help -h)-h[show this help]' \
        '(--json)--json[one JSON value on standard output; an error is one JSON line on standard error]' \
        '(--quiet -q)--quiet[no notes and no progress]' \
        '(--quiet -q)-q[no notes and no progress]' \
        '(--verbose -v)--verbose[say more about what is done]' \
        '(--verbose -v)-v[say more about what is done]' \
        '(--color)--color=[colours\: auto, always or never]:WHEN:(auto always never)' \
        '(--no-input)--no-input[never ask on the terminal]' \
        '(--owner)--owner=[who it belongs to]:NAME: ' \
        '*:operand: '
}

_bakery__fail() {
    _arguments -s -S \
        '(--help -h)--help[show this help]' \
        '(--help -h)-h[show this help]' \
        '(--json)--json[one JSON value on standard output; an error is one JSON line on standard error]' \
        '(--quiet -q)--quiet[no notes and no progress]' \
        '(--quiet -q)-q[no notes and no progress]' \
        '(--verbose -v)--verbose[say more about what is done]' \
        '(--verbose -v)-v[say more about what is done]' \
        '(--color)--color=[colours\: auto, always or never]:WHEN:(auto always never)' \
        '(--no-input)--no-input[never ask on the terminal]' \
        '*:operand: '
}

_bakery__keys() {
    local curcontext="$curcontext" state line
    local -a commands
    commands=(
        'list:list the keys'
        'show:show a key'\''s "bow"'
    )
    _arguments -C -s -S \
        '(--help -h)--help[show this help]' \
        '(--help -h)-h[show this help]' \
        '(--json)--json[one JSON value on standard output; an error is one JSON line on standard error]' \
        '(--quiet -q)--quiet[no notes and no progress]' \
        '(--quiet -q)-q[no notes and no progress]' \
        '(--verbose -v)--verbose[say more about what is done]' \
        '(--verbose -v)-v[say more about what is done]' \
        '(--color)--color=[colours\: auto, always or never]:WHEN:(auto always never)' \
        '(--no-input)--no-input[never ask on the terminal]' \
        '(--store)--store=[where it is sold]:STORE: ' \
        '1: :->command' '*:: :->rest'
    case $state in
    command) _describe -t commands command commands ;;
    rest)
        case $words[1] in
        list) _bakery__keys__list ;;
        show) _bakery__keys__show ;;
        esac
        ;;
    esac
}

_bakery__keys__list() {
    _arguments -s -S \
        '(--help -h)--help[show this help]' \
        '(--help -h)-h[show this help]' \
        '(--json)--json[one JSON value on standard output; an error is one JSON line on standard error]' \
        '(--quiet -q)--quiet[no notes and no progress]' \
        '(--quiet -q)-q[no notes and no progress]' \
        '(--verbose -v)--verbose[say more about what is done]' \
        '(--verbose -v)-v[say more about what is done]' \
        '(--color)--color=[colours\: auto, always or never]:WHEN:(auto always never)' \
        '(--no-input)--no-input[never ask on the terminal]' \
        '*:operand: '
}

_bakery__keys__show() {
    _arguments -s -S \
        '(--help -h)--help[show this help]' \
        '(--help -h)-h[show this help]' \
        '(--json)--json[one JSON value on standard output; an error is one JSON line on standard error]' \
        '(--quiet -q)--quiet[no notes and no progress]' \
        '(--quiet -q)-q[no notes and no progress]' \
        '(--verbose -v)--verbose[say more about what is done]' \
        '(--verbose -v)-v[say more about what is done]' \
        '(--color)--color=[colours\: auto, always or never]:WHEN:(auto always never)' \
        '(--no-input)--no-input[never ask on the terminal]' \
        '(--store)--store=[where it is sold]:STORE: ' \
        '*:operand: '
}

_bakery__help() {
    _arguments -s -S \
        '(--help -h)--help[show this help]' \
        '(--help -h)-h[show this help]' \
        '(--json)--json[one JSON value on standard output; an error is one JSON line on standard error]' \
        '(--quiet -q)--quiet[no notes and no progress]' \
        '(--quiet -q)-q[no notes and no progress]' \
        '(--verbose -v)--verbose[say more about what is done]' \
        '(--verbose -v)-v[say more about what is done]' \
        '(--color)--color=[colours\: auto, always or never]:WHEN:(auto always never)' \
        '(--no-input)--no-input[never ask on the terminal]' \
        '*:operand:(bake sell invite fail keys help completions man)'
}

_bakery__completions() {
    _arguments -s -S \
        '(--help -h)--help[show this help]' \
        '(--help -h)-h[show this help]' \
        '(--json)--json[one JSON value on standard output; an error is one JSON line on standard error]' \
        '(--quiet -q)--quiet[no notes and no progress]' \
        '(--quiet -q)-q[no notes and no progress]' \
        '(--verbose -v)--verbose[say more about what is done]' \
        '(--verbose -v)-v[say more about what is done]' \
        '(--color)--color=[colours\: auto, always or never]:WHEN:(auto always never)' \
        '(--no-input)--no-input[never ask on the terminal]' \
        '*:operand:(bash zsh fish)'
}

_bakery__man() {
    _arguments -s -S \
        '(--help -h)--help[show this help]' \
        '(--help -h)-h[show this help]' \
        '(--json)--json[one JSON value on standard output; an error is one JSON line on standard error]' \
        '(--quiet -q)--quiet[no notes and no progress]' \
        '(--quiet -q)-q[no notes and no progress]' \
        '(--verbose -v)--verbose[say more about what is done]' \
        '(--verbose -v)-v[say more about what is done]' \
        '(--color)--color=[colours\: auto, always or never]:WHEN:(auto always never)' \
        '(--no-input)--no-input[never ask on the terminal]' \
        '*:operand:(bake sell invite fail keys help completions man)'
}

if [[ $funcstack[1] == _bakery ]]; then
    _bakery "$@"
else
    compdef _bakery bakery
fi
