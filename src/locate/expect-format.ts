import {CrossplaneError} from '../errors.js'
import type {XpkgSource} from './xpkg-source.js'

/** A format of packages: `stack` is that of Crossplane up to v0.12, `xpkg` today's. */
export type FormatName = 'stack' | 'xpkg'

const WORDS: Readonly<Record<FormatName, string>> = {stack: 'a package of Crossplane v0.12', xpkg: 'an xpkg'}

/** What of a package that was read shows its format. */
interface ReadFormat {
  readonly xpkg?: XpkgSource
}

/** Returns the format of a package, which its content shows. */
export function formatOf({xpkg}: ReadFormat): FormatName {
  return xpkg === undefined ? 'stack' : 'xpkg'
}

/** Returns a package where only one format has a use. Throws `unsupported` for one of the other format. */
export function expectFormat<Read extends ReadFormat & {readonly name: string}>(
  read: Read,
  format: FormatName,
): Read {
  const actual = formatOf(read)
  if (actual === format) return read
  const message = `cannot use ${read.name}: it is ${WORDS[actual]}, not ${WORDS[format]}`
  throw new CrossplaneError('unsupported', message, {suggestions: ADVICE[actual]})
}

const ADVICE: Readonly<Record<FormatName, readonly string[]>> = {
  stack: [],
  xpkg: ['Use package render for it, and apply what is printed.'],
}
