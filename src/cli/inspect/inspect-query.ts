import type {InspectQuery} from '../../package/reports.js'
import {parsePackageReference} from '../../reference/package-reference.js'
import {SYSTEM_NAMESPACE} from '../../reference/instance-name.js'
import type {FlagValues} from '../shell/flags/flag-values.js'
import type {packageFlags} from '../sources/package-flags.js'
import {type RequestFlags, requestParameters} from '../declaration/request-parameters.js'

interface InspectArguments {
  readonly ref: string
  readonly name?: string
}

/** The query of `package inspect`. Throws `usage`. */
export function inspectQuery(
  {ref, name}: InspectArguments,
  flags: RequestFlags & FlagValues<typeof packageFlags>,
  flagNames: ReadonlySet<string>,
): InspectQuery {
  return {
    reference: ref,
    api: flags.api,
    asPackage: flags['as-package'],
    parameters: {...requestParameters(flags, name), systemNamespace: SYSTEM_NAMESPACE, pin: true},
    flagNames,
  }
}

/** Reports whether a package comes from a registry, as far as its name says. */
export function isInRegistry(
  {reference}: InspectQuery,
  {packages}: Pick<FlagValues<typeof packageFlags>, 'packages'>,
): boolean {
  return packages === undefined && parsePackageReference(reference).kind === 'image'
}
