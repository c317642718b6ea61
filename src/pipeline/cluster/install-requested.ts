import {type FormatName, formatOf} from '../../locate/expect-format.js'
import {locateGiven} from '../../locate/locate-package.js'
import {requestedFormats} from '../../package/formats.js'
import {recognize} from '../../package/recognize.js'
import {expectAcceptance} from '../impact/planned-impact.js'
import {readRequest} from '../request/read-request.js'
import type {InstallPorts, RequestedInstalls} from './install.js'
import type {RequestedQuery} from './installed-format.js'
import {inFormat} from './installed-formats.js'
import {joinedChanges, type PackagesChange} from './joined-changes.js'

/** Plans the installation of packages, which are recognized first, as one plan. Throws the errors of resolution and the API. */
export async function prepareInstalls(query: RequestedQuery, ports: InstallPorts): Promise<PackagesChange> {
  const {installs, formats} = await recognized(query, ports)
  const teams = installs.kind === 'request' ? installs.request.policy.teams : undefined
  await expectAcceptance(query.options, () => teams)
  const changes: PackagesChange[] = []
  for (const name of formats) {
    const install = await inFormat('install', name)
    changes.unshift(await install(installs, query, ports))
  }
  return joinedChanges(changes, teams)
}

interface Recognized {
  readonly installs: RequestedInstalls
  readonly formats: readonly FormatName[]
}

async function recognized(
  {render}: Pick<RequestedQuery, 'render'>,
  {requests}: InstallPorts,
): Promise<Recognized> {
  // Files have requests and records of Crossplane up to v0.12.
  if (render.kind === 'files') return {installs: {kind: 'files'}, formats: ['stack']}
  if (render.kind === 'package') {
    const located = await locateGiven(render, await requests.packages())
    return {installs: {kind: 'package', located, query: render}, formats: [formatOf(located)]}
  }
  const request = await recognize(await readRequest(render.query, requests))
  return {installs: {kind: 'request', request}, formats: requestedFormats(request)}
}
