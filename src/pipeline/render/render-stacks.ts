import type {InstalledState} from '../../resolve/requested/installed-package.js'
import {readRequest, type RequestPorts} from '../request/read-request.js'
import {splitRequest} from '../xpkg/split-request.js'
import type {GivenChoices} from './given-choices.js'
import {type NotedSet, render, renderRead, type RenderQuery} from './render.js'

/** Renders the packages with `.registry/` of a query that can also have others. Throws as `render` does. */
export async function renderStacks(
  query: RenderQuery,
  choices: GivenChoices,
  ports: RequestPorts,
  installed?: InstalledState,
): Promise<NotedSet> {
  if (query.kind !== 'resolution') return await render(query, choices, ports, installed)
  const request = await readRequest(query.query, ports)
  const {stacks: requested} = await splitRequest(request)
  return await renderRead({...request, requested}, choices, installed)
}
