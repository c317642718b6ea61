import type {Interfaces} from '@oclif/core'
import type {DoctorQuery} from '../../pipeline/doctor/doctor-query.js'
import {nameFromSource} from '../../reference/image-source.js'
import {DOCKER_IO, repositoryOf} from '../../reference/repository.js'
import type {clusterFlags, installFlags} from '../flags/cluster.js'
import type {FlagValues} from '../flags/flag-values.js'
import type {noRegistryFlag, sourceFlag} from '../flags/registry.js'
import {checkedSource} from './registry/default-source.js'

type QueryFlags = FlagValues<
  typeof clusterFlags & typeof installFlags & typeof sourceFlag & typeof noRegistryFlag
>

/** The query of `doctor`. Throws `usage` for an invalid registry. */
export function doctorQuery(flags: QueryFlags, config: Interfaces.Config): DoctorQuery {
  const {engines} = config.pjson as {readonly engines?: {readonly node?: string}}
  return {
    isClusterSelected: [flags.kubeconfig, flags.context].some(each => each !== undefined),
    namespace: flags.namespace,
    registry: registryOf(flags['default-source']),
    isOffline: flags.offline,
    commands: config.commands.map(({id}) => id.replaceAll(':', ' ')),
    node: {version: process.version, minimum: engines?.node ?? ''},
  }
}

function registryOf(source: string | undefined): string {
  if (source === undefined) return DOCKER_IO
  return repositoryOf(nameFromSource({path: 'any/any'}, checkedSource(source))).registry
}
