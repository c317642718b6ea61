import {BASH} from './bash.js'
import {FISH} from './fish.js'
import {POWERSHELL} from './powershell.js'
import {ZSH} from './zsh.js'

/** The scripts that complete `kubectl-crossplane`, by calling `kubectl-crossplane __complete`. */
const SCRIPTS: ReadonlyMap<string, string> = new Map([
  ['bash', BASH],
  ['zsh', ZSH],
  ['fish', FISH],
  ['powershell', POWERSHELL],
])

/** The shells that have a script. */
export const SHELLS: readonly string[] = [...SCRIPTS.keys()]

/** Returns the script of one of `SHELLS`. */
export function shellScript(shell: string): string {
  return SCRIPTS.get(shell) ?? ''
}
