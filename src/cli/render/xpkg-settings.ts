import {ACTIVATE} from '../../declaration/xpkg-settings.js'
import {CrossplaneError} from '../../errors.js'
import type {FormatName} from '../../locate/expect-format.js'
import type {GivenXpkgSettings} from '../../package/rendered-sets.js'
import type {InputFiles} from '../../pipeline/request/input-files.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {present} from '../../present.js'
import type {FlagValues} from '../shell/flags/flag-values.js'
import {contentFlags, type renderFlags} from './render-flags.js'
import {xpkgFlags} from '../declaration/xpkg-flags.js'

type RenderFlags = FlagValues<typeof xpkgFlags> &
  Partial<Pick<FlagValues<typeof renderFlags>, 'expand' | 'image-pull-secret' | 'image-pull-policy'>>

/**
 * The settings for packages for a current Crossplane. Pull settings are also those of dependencies. Throws `not-found` and
 * `input-invalid` for a file of policies.
 */
export async function xpkgSettings(flags: RenderFlags, inputs: InputFiles): Promise<GivenXpkgSettings> {
  return {
    packagePullSecrets: flags['image-pull-secret'] ?? [],
    ...(flags.expand ? {expand: true} : {}),
    ...present({
      activation: await activationOf(flags.activate, inputs),
      pin: flags.pin,
      resolver: flags.resolver,
      packagePullPolicy: flags['image-pull-policy'],
      revisionActivationPolicy: flags['revision-activation-policy'],
      revisionHistoryLimit: flags['revision-history-limit'],
    }),
  }
}

async function activationOf(
  text: string | undefined,
  inputs: InputFiles,
): Promise<GivenXpkgSettings['activation']> {
  const word = ACTIVATE.find(one => one === text)
  return text === undefined || word !== undefined ? word : await policiesIn(text, inputs)
}

async function policiesIn(file: string, inputs: InputFiles): Promise<readonly KubernetesObject[]> {
  const {name, bytes} = await inputs.read(file, '--activate')
  const {readActivationPolicies} = await import('../../render/xpkg/read-activation-policies.js')
  return readActivationPolicies(name, bytes)
}

/** Flags that are for packages with .registry/ only. */
const STACK_FLAGS: readonly string[] = [
  ...Object.keys(contentFlags),
  ...['api', 'scope', 'cluster', 'namespace', 'source', 'system-namespace', 'dependency-namespace'],
  ...['crd-version', 'kube-version', 'crossplane-version', 'assume', 'allow-version-mismatch'],
  ...['no-dependencies', 'replace-crds', 'migrate-versions', 'v0.12-base'],
]

/** Flags that are for packages for a current Crossplane only. */
const XPKG_FLAGS: readonly string[] = ['expand', ...Object.keys(xpkgFlags)]

/**
 * Throws `usage` for flags that none of the packages has: they would be ignored. Of no packages, nothing is known.
 * @param formats - the formats of the packages.
 */
export function expectApplicable(formats: readonly FormatName[], flagNames: ReadonlySet<string>): void {
  if (formats.length === 0) return
  if (!formats.includes('xpkg')) {
    const flag = XPKG_FLAGS.find(other => flagNames.has(other))
    if (flag !== undefined)
      throw notApplicable(`--${flag} is for Providers, Configurations and Functions (xpkg) only`)
  }
  if (formats.includes('stack')) return
  const flag = STACK_FLAGS.find(other => flagNames.has(other))
  if (flag !== undefined) throw notApplicable(`--${flag} is for packages of Crossplane v0.12 only`)
}

function notApplicable(message: string): CrossplaneError {
  return new CrossplaneError('usage', message, {suggestions: ['Leave it out, or name another package.']})
}
