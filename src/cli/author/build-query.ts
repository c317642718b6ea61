import {CrossplaneError} from '../../errors.js'
import type {BuildQuery, FolderCopy} from '../../package/build.js'
import {present} from '../../present.js'
import {ERAS} from '../../render/era.js'
import {quoted} from '../../text.js'
import type {buildFlags} from './build-flags.js'
import type {FlagValues} from '../shell/flags/flag-values.js'

/** The query of `package build` and `package push`. Throws `usage` for an invalid SOURCE_DATE_EPOCH, and for an API without use. */
export function buildQuery(
  path: string,
  flags: FlagValues<typeof buildFlags>,
  flagNames: ReadonlySet<string>,
): BuildQuery & {readonly from?: string} {
  if (flagNames.has('api') && !flags['bake-metadata']) throw withoutMetadata()
  const epoch = sourceDateEpoch()
  return {
    path,
    lint: !flags['no-lint'],
    ...(flags['bake-metadata'] ? {bake: ERAS[flags.api]} : {}),
    epoch,
    from: flags.from ?? flags['embed-runtime-image'],
    ...present({examples: flags.examples, ignore: flags.ignore}),
    ...present({copies: flags.copy?.map(folderCopy)}),
  }
}

/** The API can come from the environment: only one on the command line is said to have no effect. */
function withoutMetadata(): CrossplaneError {
  return new CrossplaneError('usage', '--api requires --bake-metadata', {
    suggestions: ['Pass --bake-metadata, or leave out --api.'],
  })
}

/** Throws `usage` for a path in the image that is not absolute, has empty segments or dots, or would hide the package. */
function folderCopy(text: string): FolderCopy {
  const [, from = '', to = ''] = /^(.+):((?:\/(?!\.{1,2}(?:\/|$))[^/:]+)+)\/?$/.exec(text) ?? []
  if (to !== '' && !/^\/\.registry(?:\/|$)/.test(to)) return {from, to}
  throw new CrossplaneError('usage', `--copy ${quoted(text)} is not DIR:PATH`, {
    suggestions: ['Pass a folder and its absolute path in the image, such as --copy dist:/app.'],
  })
}

const NAME = 'SOURCE_DATE_EPOCH'
/** The last second that a tar can represent. */
const LAST = 8 ** 11 - 1

/** Reads the build time to record, in seconds since 1970: https://reproducible-builds.org/specs/source-date-epoch */
function sourceDateEpoch(env = process.env): number | undefined {
  const text = env[NAME] ?? ''
  if (text === '') return undefined
  if (/^\d{1,10}$/.test(text) && Number(text) <= LAST) return Number(text)
  throw new CrossplaneError(
    'usage',
    `${NAME} is ${JSON.stringify(text)}, not a number of seconds since 1970`,
    {
      suggestions: [`Set it to one, such as $(git log -1 --format=%ct), or unset it.`],
    },
  )
}
