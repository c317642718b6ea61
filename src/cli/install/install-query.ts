import {CrossplaneError} from '../../errors.js'
import {present} from '../../present.js'
import type {InstallQuery} from '../../pipeline/cluster/install.js'
import type {InstallOptions} from '../../plan/cluster/plan-install.js'
import type {GivenChoices} from '../../package/given-choices.js'
import type {applyFlags, baseFlag} from '../plan/change-flags.js'
import type {FlagValues} from '../shell/flags/flag-values.js'
import type {installSetFlags} from '../render/render-flags.js'
import {givenChoices, renderQuery} from '../render/render-query.js'
import type {GivenRuntime, RequestArguments} from '../declaration/request-parameters.js'
import type {acceptImpactFlag} from '../declaration/lock-flags.js'

type InstallFlags = FlagValues<typeof installSetFlags & typeof applyFlags & typeof baseFlag> &
  Partial<FlagValues<typeof acceptImpactFlag>> &
  GivenRuntime

/** Values from a cluster and this program that a query needs besides the command line. */
export interface InstallContext {
  /** The namespace of the kubeconfig's context. */
  readonly namespace: string
  readonly toolVersion: string
  /** Names of the flags on the command line. */
  readonly flagNames: ReadonlySet<string>
}

/** The query of a command that installs packages into a cluster. Throws `usage`. */
export function installQuery(
  args: RequestArguments,
  flags: InstallFlags,
  {namespace, toolVersion, flagNames}: InstallContext,
): InstallQuery {
  rejectCrossplaneVersion(flagNames)
  return {
    render: renderQuery(args, flags, flagNames, namespace),
    choices: clusterChoices(flags, flagNames),
    options: installOptions(flags, toolVersion),
  }
}

/** Returns the settings of rendering for a cluster; the base beside a current Crossplane is the base. */
export function clusterChoices(
  flags: Parameters<typeof givenChoices>[0] & FlagValues<typeof baseFlag>,
  flagNames: ReadonlySet<string>,
): GivenChoices {
  const {defaults, ...choices} = givenChoices(flags, flagNames)
  const base = flags['v0.12-base'] ? {base: true} : {}
  return {...choices, defaults: {...defaults, ...base}, withPackages: true}
}

/** Returns what a change of a cluster may do besides creating and updating its own objects. */
export function installOptions(
  flags: FlagValues<typeof applyFlags> & Partial<FlagValues<typeof baseFlag & typeof acceptImpactFlag>>,
  toolVersion: string,
): InstallOptions {
  return {
    adopt: flags.adopt,
    forceConflicts: flags['force-conflicts'],
    replaceCrds: flags['replace-crds'],
    ...present({baseBesideCore: flags['v0.12-base']}),
    acceptsImpact: flags['accept-impact'] === true,
    migratesVersions: flags['migrate-versions'],
    keepsInstances: flags['custom-resources'] === 'keep',
    toolVersion,
  }
}

/** The CRDs of a cluster are known: a release given on the command line would be ignored. */
export function rejectCrossplaneVersion(flagNames: ReadonlySet<string>): void {
  if (!flagNames.has('crossplane-version')) return
  throw new CrossplaneError('usage', '--crossplane-version is for rendering without a cluster', {
    suggestions: ['Leave out --crossplane-version: the CRDs of the cluster are used.'],
  })
}
