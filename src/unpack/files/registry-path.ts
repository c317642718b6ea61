import {CrossplaneError} from '../../errors.js'
import {quoted} from '../../text.js'
import type {SourceLimits} from '../../fetch/source-limits.js'

/** The directory at an image's root that makes it a package. */
export const REGISTRY = '.registry'

/**
 * Checks segments below `.registry/` before anything is kept under them: `source-unsafe` for names that are no UTF-8
 * (decoded to U+FFFD) or hold control characters, `limit-exceeded` for long and deep ones. `holder` names the source.
 */
export function expectSafePath(segments: readonly string[], holder: string, limits: SourceLimits): void {
  const path = segments.join('/')
  if (/[\p{Cc}\ufffd]/u.test(path)) {
    throw new CrossplaneError(
      'source-unsafe',
      `${holder} holds ${quoted(path)}, which is no name for a file.`,
    )
  }
  if (segments.length > limits.pathDepth || Buffer.byteLength(path) > limits.pathBytes) {
    throw new CrossplaneError(
      'limit-exceeded',
      `${holder} holds ${quoted(path)}: longer than ${limits.pathBytes} bytes or deeper than ${limits.pathDepth}.`,
    )
  }
}

/** The same bound for what a link says, which is kept and walked as well. */
export function expectShortTarget(target: string, holder: string, limits: SourceLimits): void {
  if (Buffer.byteLength(target) <= limits.pathBytes) return
  throw new CrossplaneError(
    'limit-exceeded',
    `${holder} holds a link to ${quoted(target)}: longer than ${limits.pathBytes} bytes.`,
  )
}
