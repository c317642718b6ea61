import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import type {CrossplaneError} from '../../errors.js'
import type {FormatName} from '../../locate/expect-format.js'
import {expectApplicable} from '../../package/expect-applicable.js'
import type {OutdatedReport, ShownTree, WhyReport} from '../../package/reports.js'
import {type NameText, notFound} from '../../reference/named.js'
import {joinedOutdated} from '../resolution/outdated-request.js'
import type {InstallPorts} from './install.js'
import type {InstalledTreeQuery, OutdatedQuery} from './installed-format.js'
import {formatsInCluster, inFormat, namesInCluster} from './installed-formats.js'
import {expectOneMeaning, nearInCluster, writtenOut} from './unknown-name.js'

/**
 * Reads the trees of the packages of a cluster, of all formats that it has any of, or of what a name means. Throws `not-found` for a
 * name of nothing, and the errors of the API.
 */
export async function clusterTrees(
  query: InstalledTreeQuery,
  api: ClusterApi,
): Promise<readonly ShownTree[]> {
  const trees: ShownTree[] = []
  for (const tree of await formatsInCluster('tree', api))
    trees.push(...[(await tree(query, api)) ?? []].flat())
  const {named} = query
  if (named !== undefined && trees.length === 0)
    return await clusterTrees({...query, named: await writtenOutName(named, api)}, api)
  const filled = trees.filter(({roots}) => roots.length > 0)
  return filled.length === 0 ? trees.slice(0, 1) : filled
}

/** Explains why a package of any format is installed. Throws `not-found` for a name of nothing, and the errors of the API. */
export async function clusterWhy(query: NameText, api: ClusterApi): Promise<WhyReport> {
  await expectOneMeaning(query, {}, api)
  for (const why of await formatsInCluster('why', api)) {
    const report = await why(query, api)
    if (report !== undefined) return report
  }
  return await clusterWhy(await writtenOutName(query, api), api)
}

/** Writes out the last segment of a repository. Throws `not-found` for a name of nothing, and for one that is written out already. */
async function writtenOutName(named: NameText, api: ClusterApi): Promise<NameText> {
  const [text = named.text] = await writtenOut([named.text], named, api)
  if (text === named.text) throw await notInstalled(named, api)
  return {...named, text}
}

/**
 * Compares the packages of a cluster, of all formats, or what a name means, with the newest versions that fit. Throws `not-found` for a
 * name of nothing, `usage` for a flag that none of the packages has, and the errors of resolution and the API.
 */
export async function clusterOutdated(query: OutdatedQuery, ports: InstallPorts): Promise<OutdatedReport> {
  const reports: OutdatedReport[] = []
  const formats: FormatName[] = []
  for (const name of await namesInCluster(ports.api)) {
    const report = await (await inFormat('outdated', name))(query, ports)
    if (report === undefined) continue
    reports.push(report)
    formats.push(name)
  }
  expectApplicable(formats, query.settings.flagNames ?? new Set(), ['owner'])
  if (query.named !== undefined && reports.length === 0) throw await notInstalled(query.named, ports.api)
  return joinedOutdated(reports)
}

async function notInstalled({text}: NameText, api: ClusterApi): Promise<CrossplaneError> {
  return notFound({kind: 'package', name: text}, await nearInCluster([text], api))
}
