import type {InstalledState} from '../../resolve/requested/installed-package.js'
import {readRequest, type RequestPorts} from '../request/read-request.js'
import {recognize} from '../../package/recognize.js'
import type {GivenChoices} from '../../package/given-choices.js'
import {render, renderRead} from '../../package/stack/render.js'
import type {NotedSet, RenderQuery} from '../../package/rendered-sets.js'

/** Renders the packages with `.registry/` of a query that can also have others. Throws as `render` does. */
export async function renderStacks(
  query: RenderQuery,
  choices: GivenChoices,
  ports: RequestPorts,
  installed?: InstalledState,
): Promise<NotedSet> {
  if (query.kind !== 'resolution') return await render(query, choices, ports, installed)
  const request = await readRequest(query.query, ports)
  const {parts} = await recognize(request)
  const requested = parts.stack.map(install => install.requested)
  return await renderRead({...request, requested}, choices, installed)
}
