import {type Check, isBroken, skippedCheck} from '../../doctor/check.js'
import {checkKubectl, checkNode, checkPlugins, PROGRAM_NAME} from '../../doctor/check-programs.js'
import {checkDeclaration} from '../../doctor/check-sources.js'
import {CrossplaneError} from '../../errors.js'
import {DOCKER_IO} from '../../reference/repository.js'
import {checkCluster} from './check-cluster.js'
import {cacheCheck, indexChecks, registryChecks} from './check-sources.js'
import type {DoctorQuery} from './doctor-query.js'
import type {DoctorPorts} from './ports.js'

/** Checks what the program relies on. It changes nothing; checks that cannot be made are in the result, too. */
export async function diagnose(query: DoctorQuery, ports: DoctorPorts): Promise<readonly Check[]> {
  const {programs} = ports
  const checking = checkCluster(query, ports)
  const [files, kubectl, cluster, registries, indexes, cache] = await Promise.all([
    programs.find(PROGRAM_NAME),
    programs.kubectl(),
    checking,
    query.isOffline
      ? [offline('registry')]
      : checking.then(async ({registries}) => await checkRegistries(query, registries, ports)),
    query.isOffline ? [offline('index')] : indexChecks(ports.indexes),
    cacheCheck(ports.cache),
  ])
  return [
    ...checkPlugins(files, query.commands),
    checkKubectl(kubectl, cluster.server),
    checkNode(query.node.version, query.node.minimum),
    ...cluster.checks,
    ...declarationChecks(query),
    ...registries,
    ...indexes,
    cache,
  ]
}

/** Where a current Crossplane runs, packages come from the registries of its requests, and not from the default one. */
async function checkRegistries(
  {registries, isDefaultSource}: DoctorQuery,
  requested: readonly string[] | undefined,
  ports: DoctorPorts,
): Promise<readonly Check[]> {
  if (requested === undefined || !isDefaultSource) return await registryChecks(registries, ports.registries)
  const hosts = [...new Set([...registries.filter(host => host !== DOCKER_IO), ...requested])]
  if (hosts.length > 0) return await registryChecks(hosts, ports.registries)
  return [skippedCheck('registry', 'no package of a registry is requested')]
}

function declarationChecks({declaration}: DoctorQuery): readonly Check[] {
  if (declaration === undefined) return []
  const {file, content} = declaration
  return [checkDeclaration(file, content instanceof CrossplaneError ? content : content.packages)]
}

function offline(id: 'registry' | 'index'): Check {
  return skippedCheck(id, 'offline')
}

/** Reports whether something does not work. */
export function hasBroken(checks: readonly Check[]): boolean {
  return checks.some(isBroken)
}
