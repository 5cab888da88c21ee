# shellcheck shell=sh
# Part of the programs beside it: reads a settings file as the units do (EnvironmentFile=,
# systemd.exec(5)), and only what both understand alike. Nothing in it is run.
#   read_settings FILE    exports what `takes NAME`, a function of the caller, lets through

bad_settings() {
    echo "${0##*/}: $*" >&2
    exit 78
}

read_settings() {
    # Root alone may say what is read here; a link may lead to another's file.
    safe=$(find "${1%/*}" "$1" -maxdepth 0 -uid 0 ! -type l ! -perm /022 2>/dev/null | wc -l)
    [ "$safe" -eq 2 ] ||
        bad_settings "$1: it and its folder have to be there, root's, and writable by nobody else"
    [ -f "$1" ] && [ -r "$1" ] ||
        bad_settings "$1: $(id -un) cannot read it: chgrp $(id -gn) $1 && chmod 0640 $1"
    number=0
    while IFS= read -r line || [ -n "$line" ]; do
        number=$((number + 1))
        case $line in
        '' | '#'* | ';'*) continue ;;
        esac
        name=${line%%=*}
        value=${line#*=}
        case $line in
        [!A-Z]* | *[[:space:]]) bad_line "$1" "$number" ;;
        *=*) ;;
        *) bad_line "$1" "$number" ;;
        esac
        case $name in
        *[!A-Z0-9_]*) bad_line "$1" "$number" ;;
        esac
        # One pair of quotes around it.
        case $value in
        \"*\")
            value=${value#\"}
            value=${value%\"}
            ;;
        \'*\')
            value=${value#\'}
            value=${value%\'}
            ;;
        [[:space:]]*) bad_line "$1" "$number" ;;
        esac
        case $value in
        *[\"\'\\]*) bad_line "$1" "$number" ;;
        esac
        takes "$name" || bad_settings "$1:$number: $name may not be set in this file: this program gives it itself, or takes none"
        export "$name=$value"
    done <"$1"
}

bad_line() {
    bad_settings "$1:$2: a line is NAME=VALUE, without blanks around it and quotes or \\ inside"
}
