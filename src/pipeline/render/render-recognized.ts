import type {FormatName} from '../../locate/expect-format.js'
import type {FormatChoices, RecognizedRequest, RenderedPart} from '../../package/format.js'
import {packageFormat, requestedFormats} from '../../package/formats.js'
import {recognize} from '../../package/recognize.js'
import type {RenderedSets, TreeReview} from '../../package/rendered-sets.js'
import {expectFew} from '../../resolve/packages/source-policy.js'
import type {ReadRequest} from '../request/read-request.js'

/** Renders a request, one format after the other. Throws as they do, and `policy-refused` for too many packages. */
export async function renderRecognized(request: ReadRequest, choices: FormatChoices): Promise<RenderedSets> {
  const recognized = await recognize(request)
  const parts: RenderedPart[] = []
  for (const name of renderedFormats(recognized)) {
    const format = await packageFormat(name)
    parts.push(await format.render(recognized, choices))
  }
  if (parts.length > 1)
    expectFew(
      parts.flatMap(({identities}) => identities),
      request.policy.teams,
    )
  const first: RenderedSets = {
    treeReview: async (before, reviewed) => await reviewLast({before, reviewed}, recognized, choices),
  }
  return withBaseWarning(parts.reduce<RenderedSets>((all, {sets}) => ({...all, ...sets}), first))
}

/** A set with xpkgs is for a cluster with a current Crossplane, in whose Helm chart some roles have the names of those of v0.12. */
function withBaseWarning(sets: RenderedSets): RenderedSets {
  const {stacks, xpkgs} = sets
  const hasBase = stacks?.objects.some(({shared}) => shared === 'base') === true
  if (stacks === undefined || !hasBase || (xpkgs?.objects ?? []).length === 0) return sets
  const message =
    'the package API of Crossplane v0.12 is in a set with packages for a current Crossplane, whose Helm chart has roles of the same names, such as crossplane-admin: remove base: true of render in the declaration, or --with-package-api, to leave it out'
  const warnings = [...stacks.warnings, {severity: 'warning', rule: 'base-beside-xpkgs', message} as const]
  return {...sets, stacks: {...stacks, warnings}}
}

type ReviewedElsewhere = Parameters<NonNullable<RenderedSets['treeReview']>>[1]

/** Reviews what leaves a tree with its last xpkg. Most trees never had one: those load nothing for it. */
async function reviewLast(
  {before, reviewed}: {readonly before: ReadonlyMap<string, string>; readonly reviewed: ReviewedElsewhere},
  request: RecognizedRequest,
  choices: FormatChoices,
): Promise<TreeReview> {
  const nothing = {crds: [], losses: []}
  if (![...before.values()].some(text => text.includes('pkg.crossplane.io/'))) return nothing
  const {sets} = await (await packageFormat('xpkg')).render(request, choices)
  return (await sets.treeReview?.(before, reviewed)) ?? nothing
}

/** A declaration whose last xpkg was removed has no packages of v0.12 either: its tree has no base. */
function renderedFormats(request: RecognizedRequest): readonly FormatName[] {
  const {packages = [], xpkgs} = request.policy.lock?.lock ?? {}
  const isWithoutXpkgs = request.requested.length === 0 && packages.length === 0 && xpkgs !== undefined
  return isWithoutXpkgs ? ['xpkg'] : requestedFormats(request)
}
