import type {Candidate} from './command-model.js'

/** What completes a word: candidates, and what the shell does besides. */
export interface Completion {
  readonly candidates: readonly Candidate[]
  /** What completes the word if no candidate does. */
  readonly otherwise: 'files' | 'folders' | 'nothing'
  /** Whether the word can continue after a candidate, so that no space is added. */
  readonly continues?: boolean
  /** Whether the candidates are in an order that shells keep. */
  readonly isOrdered?: boolean
}

/**
 * The bits of `ShellCompDirective`, by which cobra's scripts, and so kubectl, know what to do with candidates:
 * https://github.com/spf13/cobra/blob/v1.8.1/completions.go
 */
const NO_SPACE = 2
const NO_FILES = 4
const FOLDERS_ONLY = 16
const KEEP_ORDER = 32

/**
 * Formats a completion as cobra does: a line for each candidate, with its description after a tab, then `:DIRECTIVE`.
 * Candidates that a shell would not take literally are left out: names can come from registries.
 */
export function formatCompletion({candidates, ...rest}: Completion): string {
  const listed = candidates.filter(({value}) => isLiteral(value))
  const lines = listed.map(({value, description = ''}) =>
    description === '' ? value : `${value}\t${singleLine(description)}`,
  )
  return [...lines, `:${directive({...rest, candidates: listed})}`, ''].join('\n')
}

function directive({candidates, otherwise, continues, isOrdered}: Completion): number {
  const isEmpty = candidates.length === 0
  const bits = [
    continues === true ? NO_SPACE : 0,
    isEmpty && otherwise === 'folders' ? FOLDERS_ONLY : 0,
    isEmpty && otherwise !== 'nothing' ? 0 : NO_FILES,
    isOrdered === true ? KEEP_ORDER : 0,
  ]
  return bits.reduce((sum, bit) => sum + bit, 0)
}

const MAX_LENGTH = 512

/** Reports whether a text is one word of letters, digits and punctuation that no shell interprets. */
function isLiteral(text: string): boolean {
  return text.length <= MAX_LENGTH && /^(--?)?[A-Za-z0-9][\w@+=:,./-]*$/.test(text)
}

function singleLine(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
}
