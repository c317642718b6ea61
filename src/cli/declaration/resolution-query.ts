import {CrossplaneError} from '../../errors.js'
import type {RequestedInstall} from '../../render/requested-install.js'
import type {RequestQuery} from '../../pipeline/request/request-query.js'
import {type InstallTarget, parseCrdName, parseInstallTarget} from '../../reference/install-target.js'
import type {FlagValues} from '../shell/flags/flag-values.js'
import type {lockFlags} from './lock-flags.js'
import type {declarationFlags, packageFlags} from '../sources/package-flags.js'
import type {placeFlags} from './request-flags.js'
import type {RequestArguments} from './request-parameters.js'
import {lockToKeep} from './lock-query.js'
import {type ResolutionFlags, resolutionSettings} from './resolution-settings.js'

type QueryFlags = ResolutionFlags &
  Partial<FlagValues<typeof declarationFlags & typeof packageFlags & typeof placeFlags & typeof lockFlags>>

const NO_PARAMETERS = {imagePullSecrets: [], serviceAccountAnnotations: {}}

/**
 * One package or CRD, or all packages of a declaration, and the lock to keep to. Throws `usage`, `reference-invalid`.
 * @param written - names of the flags on the command line.
 */
export function resolutionQuery(
  args: RequestArguments,
  flags: QueryFlags,
  flagNames: ReadonlySet<string>,
  parameters?: RequestedInstall['parameters'],
): RequestQuery {
  const lock = lockToKeep(args, flags)
  return {...unlockedQuery(args, flags, flagNames, parameters), lock}
}

/** The same without a lock. */
export function unlockedQuery(
  {ref, name}: RequestArguments,
  flags: Omit<QueryFlags, 'lock-file' | 'locked'>,
  flagNames: ReadonlySet<string>,
  parameters: RequestedInstall['parameters'] = NO_PARAMETERS,
): RequestQuery {
  const {declaration: file, crd, namespace, 'as-package': asPackage} = flags
  const settings = resolutionSettings(flags, flagNames)
  if (file !== undefined) {
    rejectOthers({REF: ref, '--crd': crd, '--namespace': namespace, '--as-package': asPackage})
    return {kind: 'declaration', file, settings}
  }
  const requested = {
    target: targetOf(ref, crd),
    parameters,
    namespace,
    name,
    asPackage,
  }
  return {kind: 'install', requested: [requested], settings}
}

function rejectOthers(others: Readonly<Record<string, string | undefined>>): void {
  const other = Object.entries(others).find(([, value]) => value !== undefined)
  if (other === undefined) return
  const [name] = other
  throw new CrossplaneError('usage', `${name} and --declaration are mutually exclusive`, {
    suggestions: [name === 'REF' ? 'Leave out one of them.' : 'Set it in the declaration.'],
  })
}

function targetOf(ref: string | undefined, crd: string | undefined): InstallTarget {
  if (ref !== undefined && crd !== undefined) {
    throw new CrossplaneError('usage', 'REF and --crd are mutually exclusive', {
      suggestions: ['Leave out one of them.'],
    })
  }
  if (crd !== undefined) return {kind: 'crd', crd: parseCrdName(crd)}
  if (ref !== undefined) return parseInstallTarget(ref)
  throw new CrossplaneError('usage', 'missing argument REF; no declaration found', {
    suggestions: ['Pass REF, --crd RESOURCE.GROUP[/VERSION] or --declaration FILE.'],
  })
}
