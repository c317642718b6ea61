import {CrossplaneError} from '../../../errors.js'

const NAME = 'SOURCE_DATE_EPOCH'
/** The last second that a tar can represent. */
const LAST = 8 ** 11 - 1

/** Reads the build time to record, in seconds since 1970: https://reproducible-builds.org/specs/source-date-epoch */
export function sourceDateEpoch(env = process.env): number | undefined {
  const text = env[NAME] ?? ''
  if (text === '') return undefined
  if (/^\d{1,10}$/.test(text) && Number(text) <= LAST) return Number(text)
  throw new CrossplaneError(
    'usage',
    `${NAME} is ${JSON.stringify(text)}, and no number of seconds since 1970`,
    {
      suggestions: [`Set it to one, such as $(git log -1 --format=%ct), or unset it.`],
    },
  )
}
