/** The script for fish, from version 3.0 on. */
export const FISH = `# Completion of kubectl-crossplane in fish

function __kubectl_crossplane
    set -l words (commandline --tokenize --cut-at-cursor --current-process)
    set -l current (commandline --current-token --cut-at-cursor)
    set -l lines (kubectl-crossplane __complete $words[2..-1] "$current" 2>/dev/null)
    test (count $lines) -gt 0; or return
    set -l directive (string replace --regex '^:' '' -- $lines[-1])
    set --erase lines[-1]
    if test (count $lines) -gt 0
        printf '%s\\n' $lines
    else if test (math "floor($directive / 16) % 2") -eq 1
        __fish_complete_directories "$current" ''
    else if test (math "floor($directive / 4) % 2") -eq 0
        set -l start (string match --regex -- '^--[^=]+=' "$current")
        set -l begun (string sub --start (math (string length -- "$start") + 1) -- "$current")
        for path in (__fish_complete_path "$begun")
            printf '%s%s\\n' "$start" $path
        end
    end
end

complete --command kubectl-crossplane --no-files --keep-order --arguments '(__kubectl_crossplane)'
`
