/**
 * The script for bash, from version 3.2 on, without the bash-completion package. bash cuts words at `:`, `=` and `@`, unless
 * COMP_WORDBREAKS lacks them, so the words are joined again, and what is before the last of these is cut from the
 * candidates. Words are passed as they are typed and never evaluated.
 */
export const BASH = `# Completion of kubectl-crossplane in bash

__kubectl_crossplane() {
  local line=\${COMP_LINE:0:COMP_POINT} rest index word last=0
  local -a words=() lines=()
  for ((index = 0; index <= COMP_CWORD; index++)); do
    rest=\${line#"\${line%%[![:space:]]*}"}
    word=\${COMP_WORDS[index]}
    if ((index == COMP_CWORD)); then word=$rest; fi
    if ((index > 0)) && [[ $rest == "$line" ]]; then
      words[last]+=$word
    else
      last=\${#words[@]}
      words[last]=$word
    fi
    line=\${rest#"$word"}
  done

  local current=\${words[last]} directive=0
  while IFS= read -r word; do
    lines+=("$word")
  done < <(kubectl-crossplane __complete "\${words[@]:1}" 2>/dev/null)
  ((\${#lines[@]} > 0)) || return 0
  last=$((\${#lines[@]} - 1))
  [[ \${lines[last]} =~ ^:([0-9]+)$ ]] && directive=\${BASH_REMATCH[1]}

  local cut= breaks=
  for word in : = @; do
    if [[ $COMP_WORDBREAKS == *$word* ]]; then breaks+=$word; fi
  done
  if [[ -n $breaks && $current == *[$breaks]* ]]; then cut=\${current%"\${current##*[$breaks]}"}; fi
  cut=\${cut%@} # a word begins with its @, but after : and =
  COMPREPLY=()
  for ((index = 0; index < last; index++)); do
    word=\${lines[index]%%$'\\t'*}
    COMPREPLY+=("\${word#"$cut"}")
  done

  if ((directive & 2)); then compopt -o nospace 2>/dev/null; fi
  if ((directive & 32)); then compopt -o nosort 2>/dev/null; fi
  ((\${#COMPREPLY[@]} == 0)) || return 0
  current=\${current#"$cut"}
  if ((directive & 16)); then
    compopt -o filenames 2>/dev/null
    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -d -- "$current")
  elif ! ((directive & 4)); then
    compopt -o filenames 2>/dev/null
    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$current")
  fi
}

complete -F __kubectl_crossplane kubectl-crossplane
`
