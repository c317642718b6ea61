import {CrossplaneError} from '../../errors.js'
import {isImageSource} from '../../reference/image-source.js'
import {canonicalSource, type Mirrors} from '../../reference/mirrors.js'
import {quoted} from '../../text.js'
import {givenNames} from './index-name.js'

/** The value of `mirrorFlag`; from the environment it is one text, despite the flag's type. */
export interface MirrorFlagValue {
  readonly mirror?: string | readonly string[]
}

/** Returns the mirrors of flags or environment. Throws `usage`. */
export function givenMirrors({mirror}: MirrorFlagValue): Mirrors {
  const mirrors: Record<string, string> = {}
  for (const text of givenNames(mirror)) {
    const [from, to] = parts(text)
    const other = mirrors[from]
    if (other !== undefined && other !== to) throw twoMirrors(from, other, to)
    mirrors[from] = to
  }
  return mirrors
}

function parts(text: string): readonly [string, string] {
  const [from = '', to = '', ...more] = text.split('=')
  if (more.length === 0 && isImageSource(from) && isImageSource(to)) return [canonicalSource(from), to]
  throw new CrossplaneError('usage', `invalid --mirror ${quoted(text)}`, {
    suggestions: [
      'Write FROM=TO, each a host, with or without a port and a path: xpkg.crossplane.io=mirror.example.org/xpkg.',
    ],
  })
}

function twoMirrors(from: string, one: string, other: string): CrossplaneError {
  return new CrossplaneError('usage', `--mirror names two mirrors of ${from}: ${one} and ${other}`, {
    suggestions: ['Leave out one of them.'],
  })
}
