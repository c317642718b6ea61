import {CrossplaneError} from '../../errors.js'

/** A word: parts in single or double quotes, and other characters than blanks and quotes. */
const WORD = /(?:'[^']*'|"[^"]*"|[^\s'"])+/g
const QUOTED = /'([^']*)'|"([^"]*)"/g

/**
 * Divides a command at blanks; quotes keep blanks together. Nothing else has a meaning: no shell is involved. Throws `usage`,
 * naming `flag`, for a command without a program or with a quote that does not end.
 */
export function commandWords(text: string, flag: string): readonly [string, ...string[]] {
  if (text.replaceAll(WORD, '').trim() !== '') throw wrong(flag, 'a quote does not end')
  const [program = '', ...args] = (text.match(WORD) ?? []).map(word =>
    word.replaceAll(QUOTED, (_, single?: string, double?: string) => single ?? double ?? ''),
  )
  if (program === '') throw wrong(flag, 'it names no program')
  return [program, ...args]
}

function wrong(flag: string, why: string): CrossplaneError {
  return new CrossplaneError('usage', `cannot read the command of ${flag}: ${why}`, {
    suggestions: [`Pass one such as ${flag} 'openssl dgst -sha256 -sign key.pem'`],
  })
}
