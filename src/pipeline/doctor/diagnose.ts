import {type Check, isBroken, skippedCheck} from '../../doctor/check.js'
import {checkKubectl, checkNode, checkPlugins, PROGRAM_NAME} from '../../doctor/check-programs.js'
import {checkCluster} from './check-cluster.js'
import {cacheCheck, indexChecks, registryCheck} from './check-sources.js'
import type {DoctorQuery} from './doctor-query.js'
import type {DoctorPorts} from './ports.js'

/** Checks what the program relies on. It changes nothing; checks that cannot be made are in the result, too. */
export async function diagnose(query: DoctorQuery, ports: DoctorPorts): Promise<readonly Check[]> {
  const {programs} = ports
  const [files, kubectl, cluster, registry, indexes, cache] = await Promise.all([
    programs.find(PROGRAM_NAME),
    programs.kubectl(),
    checkCluster(query, ports),
    query.isOffline ? offline('registry') : registryCheck(query.registry, ports.registries),
    query.isOffline ? [offline('index')] : indexChecks(ports.indexes),
    cacheCheck(ports.cache),
  ])
  return [
    ...checkPlugins(files, query.commands),
    checkKubectl(kubectl, cluster.server),
    checkNode(query.node.version, query.node.minimum),
    ...cluster.checks,
    registry,
    ...indexes,
    cache,
  ]
}

function offline(id: 'registry' | 'index'): Check {
  return skippedCheck(id, 'offline')
}

/** Reports whether something does not work. */
export function hasBroken(checks: readonly Check[]): boolean {
  return checks.some(isBroken)
}
