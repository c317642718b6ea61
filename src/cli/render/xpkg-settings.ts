import {ACTIVATE} from '../../declaration/xpkg-settings.js'
import type {GivenXpkgSettings} from '../../package/rendered-sets.js'
import type {InputFiles} from '../../pipeline/request/input-files.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {present} from '../../present.js'
import type {FlagValues} from '../shell/flags/flag-values.js'
import type {renderFlags} from './render-flags.js'
import type {xpkgFlags} from '../declaration/xpkg-flags.js'

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
