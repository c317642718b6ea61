import {withoutCommands} from '../../../text.js'

/**
 * Formats untrusted text as one line for a terminal: line breaks and tabs become blanks; control characters,
 * and those that hide or reorder others, become JSON escapes, and commands for GitHub Actions. At most `length` characters.
 */
export function plainText(text: string, length = Infinity): string {
  const plain = withoutCommands(text.replace(/[\t\n\r ]+/g, ' ').trim()).replace(
    /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu,
    escaped,
  )
  // The maximum number of code units of one character more than the limit.
  const characters = [...plain.slice(0, 2 * (length + 1))]
  return characters.length <= length ? plain : `${characters.slice(0, length - 1).join('')}…`
}

/** Formats one line of a file for a terminal: like `plainText`, but keeps its blanks and tabs. */
export function plainLine(line: string): string {
  return withoutCommands(line).replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu, text =>
    text === '\t' ? text : escaped(text),
  )
}

/** Formats a suggestion: lines of a file stay lines, so that they can be pasted; every other suggestion is one line. */
export function suggestionText(suggestion: string): string {
  const [, head, lines] = WITH_LINES.exec(suggestion) ?? []
  if (head === undefined || lines === undefined) return plainText(suggestion)
  return [plainText(head), ...lines.split('\n').map(plainLine)].join('\n')
}

const WITH_LINES = /^((?:Add these lines to |Replace \w+ with these lines in ).*?:)\n(.*)$/s

function escaped(character: string): string {
  return character.replace(/[^]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
