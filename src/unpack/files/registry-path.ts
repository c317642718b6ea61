import {CrossplaneError} from '../../errors.js'
import {quoted} from '../../text.js'
import type {SourceLimits} from '../../fetch/source-limits.js'

/** The directory at an image's root that makes it a package. */
export const REGISTRY = '.registry'

/**
 * Checks segments below `.registry/` before they are stored: `source-unsafe` for names that are not UTF-8 (decoded to
 * U+FFFD) or have control characters, `limit-exceeded` for long and deep ones. `holder` names the source.
 */
export function expectSafePath(segments: readonly string[], holder: string, limits: SourceLimits): void {
  const path = segments.join('/')
  if (/[\p{Cc}\ufffd]/u.test(path)) {
    throw new CrossplaneError(
      'source-unsafe',
      `cannot read ${holder}: ${quoted(path)} is not a valid file name`,
    )
  }
  if (segments.length > limits.pathDepth || Buffer.byteLength(path) > limits.pathBytes) {
    throw new CrossplaneError(
      'limit-exceeded',
      `cannot read ${holder}: ${quoted(path)} has more than ${limits.pathBytes} bytes or ${limits.pathDepth} levels`,
    )
  }
}

/** The same limit for the target of a link, which is stored and followed as well. */
export function expectShortTarget(target: string, holder: string, limits: SourceLimits): void {
  if (Buffer.byteLength(target) <= limits.pathBytes) return
  throw new CrossplaneError(
    'limit-exceeded',
    `cannot read ${holder}: the link to ${quoted(target)} has more than ${limits.pathBytes} bytes`,
  )
}
