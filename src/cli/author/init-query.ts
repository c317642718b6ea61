import {basename, resolve} from 'node:path'
import {present} from '../../present.js'
import type {FlagValues} from '../shell/flags/flag-values.js'
import type {initFlags} from './init-flags.js'
import type {ServiceRequest} from '../../pipeline/author/init-service.js'
import type {InitQuery} from '../../pipeline/author/init-package.js'

/** The query of `package init`. */
export function initQuery(path: string, flags: FlagValues<typeof initFlags>, program: string): InitQuery {
  const {name, title, scope, update, xpkg, 'from-crds': fromCrds} = flags
  const folderName = basename(resolve(path))
  const controller = !flags['no-controller']
  const kind = xpkg === undefined ? undefined : KINDS[xpkg]
  const optional = present({xpkg: kind, service: serviceRequest(flags, program)})
  return {path, folderName, name, title, scope, fromCrds, update, controller, ...optional}
}

function serviceRequest(flags: FlagValues<typeof initFlags>, program: string): ServiceRequest | undefined {
  const {
    service: kind,
    group = '',
    'api-version': version = 'v1alpha1',
    claim = '',
    parameters,
    runner,
  } = flags
  if (kind === undefined) return undefined
  return {
    kind,
    group,
    version,
    claim,
    ...present({parameters, ownClaim: flags['own-claim']}),
    ...(runner === undefined ? {} : {runner: {program}}),
  }
}

const KINDS = {provider: 'Provider', configuration: 'Configuration', function: 'Function'} as const
