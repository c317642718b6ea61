import type {DeclaredXpkgSettings} from '../../declaration/xpkg-settings.js'
import {present} from '../../present.js'
import {flagAndField, type ReadDeclaration} from '../../pipeline/request/given-settings.js'
import type {GivenXpkgSettings} from '../rendered-sets.js'

/** The flag of each setting that a declaration can have. */
const XPKG_SETTING_FLAGS = {
  pin: 'pin',
  activate: 'activate',
  revisionActivationPolicy: 'revision-activation-policy',
  revisionHistoryLimit: 'revision-history-limit',
} as const satisfies Record<Exclude<keyof DeclaredXpkgSettings, 'mirrors'>, string>

/** Joins the settings of a command line and a declaration. Throws `usage` if they have the same one. */
export function xpkgChoices(
  flags: GivenXpkgSettings,
  declaration: ReadDeclaration | undefined,
): GivenXpkgSettings {
  if (declaration === undefined) return flags
  const {xpkg = {}, registries} = declaration.content
  const {activate: activation, mirrors = false, ...declared} = xpkg
  const fields = {...declared, ...present({activation})}
  for (const [name, flag] of Object.entries(XPKG_SETTING_FLAGS)) {
    const key = name === 'activate' ? 'activation' : name
    if (key in fields && key in flags) throw flagAndField(`--${flag}`, `xpkg.${name}`, declaration)
  }
  return {...flags, ...fields, ...(mirrors ? {mirrors: registries} : {})}
}
