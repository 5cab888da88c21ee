/// The completions for bash 4 and newer.
struct BashCompletions {
    let model: CompletionModel

    var script: String {
        let name = "_" + model.identifier
        return """
            # Completions of \(model.program) for bash.
            \(name)_at() {
                case $1 in
            \(places)
                esac
            }

            \(name)_value() {
                case "$1 $2" in
            \(values)
                *) kind=none ;;
                esac
            }

            \(name)() {
                local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
                local path='' commands='' options='' valued='' operand='' kind='' words=''
                local index=1 word ended=''
                if [[ $current == '=' ]]; then
                    current=''
                elif [[ $previous == '=' ]]; then
                    previous=${COMP_WORDS[COMP_CWORD - 2]}
                fi
                \(name)_at ''
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
                            \(name)_at "$path"
                        fi
                        ;;
                    esac
                done
                if [[ -z $ended && " $valued " == *" $previous "* ]]; then
                    \(name)_value "$path" "$previous"
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

            complete -F \(name) \(model.program)

            """
    }

    private var places: String {
        model.places.map { place in
            let names = place.commands.map(\.name).joined(separator: " ")
            let options = place.options.flatMap(CompletionModel.spellings)
                .joined(separator: " ")
            let valued = place.options.filter(\.takesValue).flatMap(CompletionModel.spellings)
                .joined(separator: " ")
            let (kind, words) = self.words(place.operand)
            return """
                    '\(place.path)')
                        commands='\(names)' operand=\(kind) words='\(words)'
                        options='\(options)'
                        valued='\(valued)'
                        ;;
                """
        }.joined(separator: "\n")
    }

    private var values: String {
        model.places.flatMap { place in
            place.options.filter { $0.takesValue && $0.completion != .none }.map { facts in
                let patterns = CompletionModel.spellings(facts).map { "'\(place.path) \($0)'" }
                    .joined(separator: " | ")
                let (kind, words) = self.words(facts.completion)
                return "    \(patterns)) kind=\(kind) words='\(words)' ;;"
            }
        }.joined(separator: "\n")
    }

    private func words(_ completion: Completion) -> (kind: String, words: String) {
        switch completion {
        case .none: ("none", "")
        case .file: ("file", "")
        case .folder: ("folder", "")
        case .words(let words): ("words", words.joined(separator: " "))
        case .commands: ("words", model.places[0].commands.map(\.name).joined(separator: " "))
        }
    }
}
