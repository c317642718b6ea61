import type {DeclaredXpkgSettings} from '../../declaration/xpkg-settings.js'
import {flagAndField, type ReadDeclaration} from '../request/given-settings.js'
import type {GivenXpkgSettings} from './rendered-sets.js'

/** The flag of each setting that a declaration can have. */
const XPKG_SETTING_FLAGS = {
  pin: 'pin',
  activate: 'activate',
  revisionActivationPolicy: 'revision-activation-policy',
  revisionHistoryLimit: 'revision-history-limit',
} as const satisfies Record<keyof DeclaredXpkgSettings, string>

/** Joins the settings of a command line and a declaration. Throws `usage` if they have the same one. */
export function xpkgChoices(
  flags: GivenXpkgSettings,
  declaration: ReadDeclaration | undefined,
): GivenXpkgSettings {
  const {activate, ...declared} = declaration?.content.xpkg ?? {}
  const fields = {...declared, ...(activate === undefined ? {} : {activation: activate})}
  if (declaration === undefined) return flags
  for (const [name, flag] of Object.entries(XPKG_SETTING_FLAGS)) {
    const key = name === 'activate' ? 'activation' : name
    if (key in fields && key in flags) throw flagAndField(`--${flag}`, `xpkg.${name}`, declaration)
  }
  return {...flags, ...fields}
}
