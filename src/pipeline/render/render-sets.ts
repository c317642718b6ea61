import type {FormatChoices} from '../../package/format.js'
import {expectApplicable} from '../../package/expect-applicable.js'
import {formatFor} from '../../package/formats.js'
import type {FormatName} from '../../locate/expect-format.js'
import {locateGiven} from '../../locate/locate-package.js'
import type {PackageQuery, RenderedSets, RenderQuery} from '../../package/rendered-sets.js'
import {renderChoices} from '../../package/given-choices.js'
import type {RequestPorts} from '../request/read-request.js'
import type {RequestQuery} from '../request/request-query.js'
import {stackFields, xpkgFields} from './tree-fields.js'

/** Renders a query with packages of any format, which decide what is loaded. Throws as its parts do. */
export async function renderSets(
  query: RenderQuery,
  choices: FormatChoices,
  ports: RequestPorts,
): Promise<RenderedSets> {
  const sets = await setsOf(query, choices, ports)
  return {...sets, fields: await fieldsOf(query, choices, sets)}
}

/** The settings of all packages; those of a format without packages decide nothing. */
async function fieldsOf(
  query: RenderQuery,
  {choices, settings}: FormatChoices,
  {stacks, xpkgs}: RenderedSets,
): Promise<RenderedSets['fields']> {
  const declaration = stacks?.declaration ?? xpkgs?.declaration
  const ofStacks = stackFields(renderChoices(choices, declaration))
  if (xpkgs === undefined) return new Map(ofStacks)
  // Loaded here: packages with .registry/ do not need it.
  const {xpkgChoices} = await import('../../package/xpkg/choices.js')
  const coreVersion = query.kind === 'resolution' ? query.query.settings.coreVersion : undefined
  const ofPackage = query.kind === 'package' ? query.coreVersion : coreVersion
  return new Map([
    ...xpkgFields(xpkgChoices(settings, declaration), ofPackage ?? declaration?.content.coreVersion),
    ...ofStacks,
  ])
}

async function setsOf(
  query: RenderQuery,
  choices: FormatChoices,
  ports: RequestPorts,
): Promise<RenderedSets> {
  if (query.kind === 'package') return await renderReference(query, choices, ports)
  if (query.kind === 'resolution') return await renderRequest(query.query, choices, ports)
  const {render} = await import('../../package/stack/render.js')
  return {stacks: await render(query, choices.choices, ports)}
}

async function renderReference(
  query: PackageQuery,
  choices: FormatChoices,
  ports: RequestPorts,
): Promise<RenderedSets> {
  const located = await locateGiven(query, await ports.packages())
  const format = await formatFor(located)
  return await format.renderPackage(located, query, choices, ports)
}

/** Loaded here: a package without dependencies does not need it. */
async function renderRequest(
  query: RequestQuery,
  choices: FormatChoices,
  ports: RequestPorts,
): Promise<RenderedSets> {
  const {readRequest} = await import('../request/read-request.js')
  const {renderRecognized} = await import('./render-recognized.js')
  return await renderRecognized(await readRequest(query, ports), choices)
}

/** Throws `usage` for flags of a command line that none of the rendered packages has. */
export function expectApplicableToSets(sets: RenderedSets, flagNames: ReadonlySet<string>): void {
  // What a package requires is rendered with it in both formats.
  expectApplicable(formatsIn(sets), new Set([...flagNames].filter(flag => flag !== 'no-dependencies')))
}

/** Returns the formats of rendered packages. */
export function formatsIn({stacks, xpkgs}: RenderedSets): readonly FormatName[] {
  return [
    ...(xpkgs === undefined ? [] : ['xpkg' as const]),
    ...(stacks === undefined ? [] : ['stack' as const]),
  ]
}
