/** The script for PowerShell, from version 5.1 on, which drops empty arguments: two quotes stand for one. */
export const POWERSHELL = `# Completion of kubectl-crossplane in PowerShell

Register-ArgumentCompleter -Native -CommandName kubectl-crossplane -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements |
    Select-Object -Skip 1 |
    Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
    ForEach-Object { $_.Extent.Text })
  $current = if ($wordToComplete) { $wordToComplete } else { '""' }
  $lines = @(& kubectl-crossplane __complete @words $current 2>$null)
  $lines | Select-Object -SkipLast 1 | ForEach-Object {
    $value, $description = $_ -split "\`t", 2
    if (-not $description) { $description = $value }
    [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $description)
  }
}
`
