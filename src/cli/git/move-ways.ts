import {shellWord} from '../../text.js'
import {withoutCredentials} from '../../without-credentials.js'
import {changeFlags} from '../plan/change-flags.js'
import {flagWords} from '../shell/flags/flag-words.js'

/** The flags with which a move by commits goes on; those of the cluster and the user are added to each suggestion. */
interface WayFlags {
  readonly git?: string
  readonly context?: string
  readonly path?: string
  readonly remote?: string
  readonly push: boolean
  readonly timeout?: string
  readonly 'author-name'?: string
  readonly 'author-email'?: string
  readonly signoff: boolean
  readonly 'gpg-sign': boolean
  readonly 'ssh-sign': boolean
  readonly 'signing-key'?: string
}

/** Returns the command that goes on with a move by commits, or back. */
export function moveWay(
  direction: '--continue' | '--back',
  {git = '', context = 'CONTEXT', ...flags}: WayFlags,
): string {
  const values = flagWords(flags, ['path', 'remote', 'author-name', 'author-email', 'signing-key'])
  const switches = SWITCHES.filter(name => flags[name]).map(name => `--${name}`)
  const limit = flags.timeout === changeFlags.timeout.default ? [] : flagWords(flags, ['timeout'])
  const more = [...values, ...switches, ...limit].map(word => ` ${shellWord(word)}`).join('')
  return `kubectl crossplane package move ${direction} --context ${shellWord(context)} --git ${shellWord(withoutCredentials(git))}${more}`
}

/** Returns both commands: the one that goes on comes first. */
export function moveWays(flags: WayFlags): readonly string[] {
  return [moveWay('--continue', flags), moveWay('--back', flags)]
}

const SWITCHES = ['push', 'signoff', 'gpg-sign', 'ssh-sign'] as const
