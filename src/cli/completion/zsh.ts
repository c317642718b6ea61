/** The script for zsh, for `source` and as a file `_kubectl-crossplane` in a folder of `fpath`. */
export const ZSH = `#compdef kubectl-crossplane
# Completion of kubectl-crossplane in zsh

_kubectl-crossplane() {
  local -a lines values shown extra
  local line directive=0 tab=$'\\t'
  lines=("\${(@f)$(kubectl-crossplane __complete "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)}")
  [[ \${lines[-1]} == :<-> ]] && directive=\${lines[-1]#:}
  for line in "\${(@)lines[1,-2]}"; do
    values+=("\${line%%$tab*}")
    shown+=("\${line//$tab/  -- }")
  done

  if ((\${#values} > 0)); then
    ((directive & 2)) && extra+=(-S '')
    ((directive & 32)) && extra+=(-V ordered)
    [[ "\${lines[1]}" == *$tab* ]] && extra+=(-l)
    compadd "\${extra[@]}" -d shown -a -- values
  elif ! ((directive & 4)); then
    [[ $PREFIX == --*=* ]] && compset -P 1 '*='
    if ((directive & 16)); then _files -/; else _files; fi
  fi
}

if [[ \${zsh_eval_context[-1]} == loadautofunc ]]; then
  _kubectl-crossplane "$@"
else
  compdef _kubectl-crossplane kubectl-crossplane
fi
`
