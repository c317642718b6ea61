import type {Interfaces} from '@oclif/core'
import type {DoctorQuery} from '../../pipeline/doctor/doctor-query.js'
import {CrossplaneError} from '../../errors.js'
import {contactedRegistries, type FoundDeclaration} from '../../pipeline/doctor/declared-sources.js'
import type {DeclaredSources} from '../../pipeline/request/read-request.js'
import type {clusterFlags, installFlags} from '../cluster/cluster-flags.js'
import type {FlagValues} from '../shell/flags/flag-values.js'
import type {noRegistryFlag, sourceFlag} from '../registry/registry-flags.js'
import {checkedSource} from '../sources/default-source.js'

type QueryFlags = FlagValues<
  typeof clusterFlags & typeof installFlags & typeof sourceFlag & typeof noRegistryFlag
>

/** Returns the query of `doctor`. Throws `usage` for an invalid registry. */
export function doctorQuery(
  flags: QueryFlags,
  config: Interfaces.Config,
  declaration: FoundDeclaration | undefined,
): DoctorQuery {
  const {defaultSource, registries = {}} = declaredSources(declaration) ?? {}
  const source = flags['default-source']
  const {engines} = config.pjson as {readonly engines?: {readonly node?: string}}
  return {
    isClusterSelected: [flags.kubeconfig, flags.context].some(flag => flag !== undefined),
    namespace: flags.namespace,
    registries: contactedRegistries(source === undefined ? defaultSource : checkedSource(source), registries),
    isDefaultSource: source === undefined && defaultSource === undefined,
    declaration,
    isOffline: flags.offline,
    commands: config.commands.map(({id}) => id.replaceAll(':', ' ')),
    node: {version: process.version, minimum: engines?.node ?? ''},
  }
}

/** Returns the sources of a declaration that can be read. */
export function declaredSources(declaration: FoundDeclaration | undefined): DeclaredSources | undefined {
  const {content} = declaration ?? {}
  return content === undefined || content instanceof CrossplaneError ? undefined : content.sources
}
