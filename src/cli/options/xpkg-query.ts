import {CrossplaneError} from '../../errors.js'
import type {XpkgQuery} from '../../pipeline/xpkg/reference-closure.js'
import {present} from '../../present.js'
import type {XpkgSettings} from '../../render/xpkg/xpkg-settings.js'
import type {FlagValues} from '../flags/flag-values.js'
import {commonFlags} from '../flags/global.js'
import {packageFlags} from '../flags/package.js'
import {planFlags} from '../flags/plan.js'
import {pullFlags} from '../flags/pull.js'
import type {renderFlags} from '../flags/render.js'
import {xpkgFlags} from '../flags/xpkg.js'
import type {RequestArguments} from './request-parameters.js'

type RenderFlags = FlagValues<typeof renderFlags>

/** The query and the settings for a package for a current Crossplane. Throws `usage` for what only others have. */
export function xpkgQuery(
  {ref = '', name}: RequestArguments,
  flags: RenderFlags,
  flagNames: ReadonlySet<string>,
): {readonly query: XpkgQuery; readonly settings: XpkgSettings} {
  const other = [...flagNames].find(flag => !APPLICABLE.has(flag))
  if (other !== undefined) throw notApplicable(`--${other}`)
  if (name !== undefined) throw notApplicable('NAME')
  const coreVersion = flags['core-version']
  return {
    query: {reference: ref, ...present({asPackage: flags['as-package'], coreVersion})},
    settings: {
      pin: flags.pin ?? 'config',
      packagePullSecrets: flags['image-pull-secret'] ?? [],
      ...present({
        coreVersion,
        packagePullPolicy: flags['image-pull-policy'],
        revisionActivationPolicy: flags['revision-activation-policy'],
        revisionHistoryLimit: flags['revision-history-limit'],
      }),
    },
  }
}

/** The flags of `package render` that also apply to packages for a current Crossplane. */
const APPLICABLE: ReadonlySet<string> = new Set([
  ...Object.keys({...xpkgFlags, ...packageFlags, ...pullFlags, ...planFlags, ...commonFlags}),
  'image-pull-secret',
  'image-pull-policy',
  'output',
  'output-dir',
  'layout',
  'repo-url',
])

function notApplicable(argument: string): CrossplaneError {
  const message = `${argument} is for packages with .registry/ only`
  return new CrossplaneError('usage', message, {
    suggestions: [`Leave out ${argument}: the package is for a current Crossplane (xpkg).`],
  })
}

/** Throws `usage` for flags that only packages for a current Crossplane have. */
export function rejectXpkgFlags(flagNames: ReadonlySet<string>): void {
  const own = Object.keys(xpkgFlags).find(flag => flagNames.has(flag))
  if (own === undefined) return
  const message = `--${own} is for Providers, Configurations and Functions (xpkg) only`
  throw new CrossplaneError('usage', message, {
    suggestions: ['Leave out the flag: the package has a .registry/ folder.'],
  })
}
