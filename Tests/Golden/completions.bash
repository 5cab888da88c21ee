# Completions of bakery for bash.
_bakery_at() {
    case $1 in
    '')
        commands='bake sell invite fail keys help completions man' operand=none words=''
        options='--help -h --json --quiet -q --verbose -v --color --no-input --version --lifetime --until --enable --shape --output -o --force -f --dry-run -n --batch --store --shelf --owner'
        valued='--color --lifetime --until --enable --shape --output -o --store --shelf --owner'
        ;;
    ' bake')
        commands='' operand=folder words=''
        options='--help -h --json --quiet -q --verbose -v --color --no-input --version --lifetime --until --enable --shape --output -o --force -f --dry-run -n'
        valued='--color --version --lifetime --until --enable --shape --output -o'
        ;;
    ' sell')
        commands='' operand=file words=''
        options='--help -h --json --quiet -q --verbose -v --color --no-input --batch --store --shelf'
        valued='--color --store --shelf'
        ;;
    ' invite')
        commands='' operand=none words=''
        options='--help -h --json --quiet -q --verbose -v --color --no-input --owner'
        valued='--color --owner'
        ;;
    ' fail')
        commands='' operand=none words=''
        options='--help -h --json --quiet -q --verbose -v --color --no-input'
        valued='--color'
        ;;
    ' keys')
        commands='list show' operand=none words=''
        options='--help -h --json --quiet -q --verbose -v --color --no-input --store'
        valued='--color --store'
        ;;
    ' keys list')
        commands='' operand=none words=''
        options='--help -h --json --quiet -q --verbose -v --color --no-input'
        valued='--color'
        ;;
    ' keys show')
        commands='' operand=none words=''
        options='--help -h --json --quiet -q --verbose -v --color --no-input --store'
        valued='--color --store'
        ;;
    ' help')
        commands='' operand=words words='bake sell invite fail keys help completions man'
        options='--help -h --json --quiet -q --verbose -v --color --no-input'
        valued='--color'
        ;;
    ' completions')
        commands='' operand=words words='bash zsh fish'
        options='--help -h --json --quiet -q --verbose -v --color --no-input'
        valued='--color'
        ;;
    ' man')
        commands='' operand=words words='bake sell invite fail keys help completions man'
        options='--help -h --json --quiet -q --verbose -v --color --no-input'
        valued='--color'
        ;;
    esac
}

_bakery_value() {
    case "$1 $2" in
    ' --color') kind=words words='auto always never' ;;
    ' --shape') kind=words words='round long' ;;
    ' --output' | ' -o') kind=file words='' ;;
    ' --shelf') kind=folder words='' ;;
    ' bake --color') kind=words words='auto always never' ;;
    ' bake --shape') kind=words words='round long' ;;
    ' bake --output' | ' bake -o') kind=file words='' ;;
    ' sell --color') kind=words words='auto always never' ;;
    ' sell --shelf') kind=folder words='' ;;
    ' invite --color') kind=words words='auto always never' ;;
    ' fail --color') kind=words words='auto always never' ;;
    ' keys --color') kind=words words='auto always never' ;;
    ' keys list --color') kind=words words='auto always never' ;;
    ' keys show --color') kind=words words='auto always never' ;;
    ' help --color') kind=words words='auto always never' ;;
    ' completions --color') kind=words words='auto always never' ;;
    ' man --color') kind=words words='auto always never' ;;
    *) kind=none ;;
    esac
}

_bakery() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local path='' commands='' options='' valued='' operand='' kind='' words=''
    local index=1 word ended=''
    if [[ $current == '=' ]]; then
        current=''
    elif [[ $previous == '=' ]]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    _bakery_at ''
    while ((index < COMP_CWORD)); do
        word=${COMP_WORDS[index]}
        index=$((index + 1))
        case $word in
        --)
            ended=1
            break
            ;;
        -*)
            if [[ " $valued " == *" $word "* ]]; then
                [[ ${COMP_WORDS[index]} != '=' ]] || index=$((index + 1))
                index=$((index + 1))
            fi
            ;;
        *)
            if [[ " $commands " == *" $word "* ]]; then
                path="$path $word"
                _bakery_at "$path"
            fi
            ;;
        esac
    done
    if [[ -z $ended && " $valued " == *" $previous "* ]]; then
        _bakery_value "$path" "$previous"
    elif [[ -z $ended && $current == -* ]]; then
        kind=words words=$options
    elif [[ -n $commands ]]; then
        kind=words words=$commands
    else
        kind=$operand
    fi
    COMPREPLY=()
    case $kind in
    words) mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current") ;;
    file)
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
        ;;
    folder)
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -d -- "$current")
        ;;
    esac
}

complete -F _bakery bakery
