import type {FormatName} from '../../locate/expect-format.js'
import type {FormatChoices, RecognizedRequest, RenderedPart} from '../../package/format.js'
import {packageFormat, requestedFormats} from '../../package/formats.js'
import {recognize} from '../../package/recognize.js'
import type {RenderedSets} from '../../package/rendered-sets.js'
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
  return parts.reduce<RenderedSets>((all, {sets}) => ({...all, ...sets}), {})
}

/** A declaration whose last xpkg was removed has no packages of v0.12 either: its tree has no base. */
function renderedFormats(request: RecognizedRequest): readonly FormatName[] {
  const {packages = [], xpkgs} = request.policy.lock?.lock ?? {}
  const isWithoutXpkgs = request.requested.length === 0 && packages.length === 0 && xpkgs !== undefined
  return isWithoutXpkgs ? ['xpkg'] : requestedFormats(request)
}
