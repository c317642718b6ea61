import type {HttpHeaders} from '../../http/http.js'
import {headerText, isHeaderText} from './header-text.js'
import type {Impersonation} from './kubeconfig.js'

/** The values of the flags `--as`, `--as-group` and `--as-uid`. */
export interface ImpersonationFlags {
  readonly as?: string
  readonly asGroups?: readonly string[]
  readonly asUid?: string
}

const NONE: Impersonation = {user: '', uid: '', groups: [], extra: []}

/** Applies the flags to the impersonation of a user: each flag replaces what the kubeconfig has. */
export function impersonationOf(
  {as = '', asGroups = [], asUid = ''}: ImpersonationFlags,
  configured: Impersonation = NONE,
): Impersonation {
  return {
    user: as === '' ? configured.user : as,
    uid: asUid === '' ? configured.uid : asUid,
    groups: asGroups.length === 0 ? configured.groups : asGroups,
    extra: configured.extra,
  }
}

/** Reports whether there is a setting that requires a user to impersonate. */
export function hasImpersonatedDetails({uid, groups, extra}: Impersonation): boolean {
  return uid !== '' || groups.length > 0 || extra.length > 0
}

/** Reports whether all texts can be sent as headers. */
export function isSendable({user, uid, groups, extra}: Impersonation): boolean {
  return [user, uid, ...groups, ...extra.flatMap(([, values]) => values)].every(isHeaderText)
}

/** Returns the headers of an impersonation: none without a user. */
export function impersonationHeaders({user, uid, groups, extra}: Impersonation): HttpHeaders {
  if (user === '') return {}
  return {
    'impersonate-user': headerText(user),
    ...(uid === '' ? {} : {'impersonate-uid': headerText(uid)}),
    ...(groups.length === 0 ? {} : {'impersonate-group': groups.map(headerText)}),
    ...Object.fromEntries(
      extra
        .filter(([, values]) => values.length > 0)
        .map(([key, values]) => [`impersonate-extra-${escapedKey(key)}`, values.map(headerText)]),
    ),
  }
}

/** Percent-encodes characters that cannot be in the name of a header, and %: the API server decodes it. */
function escapedKey(key: string): string {
  return [...Buffer.from(key)]
    .map(byte => {
      const character = String.fromCharCode(byte)
      return /[\w!#$&'*+.^`|~-]/.test(character)
        ? character
        : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
    })
    .join('')
}
