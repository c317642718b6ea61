import {keptVersions} from '../../declaration/kept-versions.js'
import {servingVersions} from '../../render/kept-versions.js'
import {renderPackage} from './render-package.js'
import {expectServer} from './expect-server.js'
import {type GivenChoices, renderChoices} from '../given-choices.js'
import type {RenderChoices} from '../../render/render-part.js'
import type {ReadRequest, RequestPorts} from '../../pipeline/request/read-request.js'
import type {InstalledState} from '../../resolve/requested/installed-package.js'
import type {FilesQuery, NotedSet, RenderQuery} from '../rendered-sets.js'

/**
 * Renders the install set of a query; with notes if dependencies were resolved. @param installed - the content of the
 * target cluster; the CRDs that it serves take the place of Crossplane's.
 */
export async function render(
  query: RenderQuery,
  commandChoices: GivenChoices,
  ports: RequestPorts,
  installed?: InstalledState,
): Promise<NotedSet> {
  if (query.kind === 'package') {
    return await renderPackage(query, renderChoices(commandChoices), await ports.packages(), installed)
  }
  if (query.kind === 'files') return await renderQueriedFiles(query, renderChoices(commandChoices), ports)
  // Loaded here: a package without dependencies does not need it.
  const {readRequest} = await import('../../pipeline/request/read-request.js')
  return await renderRead(await readRequest(query.query, ports), commandChoices, installed)
}

/** Renders the install set of a request that was read. */
export async function renderRead(
  {packages, declaration, ...request}: ReadRequest,
  commandChoices: GivenChoices,
  installed?: InstalledState,
): Promise<NotedSet> {
  const {renderRequested} = await import('./render-resolved.js')
  const choices = renderChoices(commandChoices, declaration)
  if (commandChoices.server !== undefined && declaration !== undefined) {
    await expectServer(declaration, commandChoices.server)
  }
  const policy =
    installed === undefined
      ? request.policy
      : (await import('./cluster-policy.js')).clusterPolicy(request.policy, installed, choices)
  const set = await renderRequested({...request, policy}, choices, packages)
  const {lock} = request.policy
  return {...(lock === undefined ? set : servingVersions(set, keptVersions(lock.lock))), declaration}
}

async function renderQueriedFiles(
  {files, settings, ...query}: FilesQuery,
  choices: RenderChoices,
  ports: RequestPorts,
): Promise<NotedSet> {
  if (settings.policy !== undefined) {
    const {renderFilesUnderPolicy} = await import('./render-files-under-policy.js')
    const read = async () => await Promise.all(files.map(file => ports.inputs.read(file, '-f')))
    return await renderFilesUnderPolicy({...query, settings, read}, choices, ports)
  }
  const policy = async () =>
    (await import('../../pipeline/request/read-request.js')).readPolicy(settings, ports)
  const read = await Promise.all(files.map(file => ports.inputs.read(file, '-f')))
  const {renderFiles} = await import('./render-files.js')
  return await renderFiles({...query, files: read, policy}, choices, await ports.packages())
}
