import {present} from '../../present.js'
import {flagAndField, type ReadDeclaration} from '../../pipeline/request/given-settings.js'
import {XPKG_SETTING_FLAGS} from '../given-choices.js'
import {declaredActivation} from '../../render/xpkg/activation-policy.js'
import type {GivenXpkgSettings} from '../rendered-sets.js'

/** Joins the settings of a command line and a declaration. Throws `usage` if they have one with different values. */
export function xpkgChoices(
  flags: GivenXpkgSettings,
  declaration: ReadDeclaration | undefined,
): GivenXpkgSettings {
  if (declaration === undefined) return flags
  const {xpkg = {}, registries} = declaration.content
  const {activate, mirrors = false, ...declared} = xpkg
  const activation = declaredActivation(activate)
  const fields: GivenXpkgSettings = {...declared, ...present({activation})}
  for (const [name, flag] of Object.entries(XPKG_SETTING_FLAGS)) {
    const key = name === 'activate' ? 'activation' : (name as 'pin')
    if (key in fields && key in flags && fields[key] !== flags[key])
      throw flagAndField(`--${flag}`, `xpkg.${name}`, declaration)
  }
  return {...flags, ...fields, ...(mirrors ? {mirrors: registries} : {})}
}
