import {expectApplicableOfCrds} from '../../package/expect-applicable.js'
import {packageFormat, requestedFormats} from '../../package/formats.js'
import {recognize} from '../../package/recognize.js'
import type {ShownTree} from '../../package/reports.js'
import type {ReadRequest} from '../request/read-request.js'

/** Resolves a request and returns its trees, each when it is known: one for each format. */
export async function* trees(request: ReadRequest, depth: number | undefined): AsyncGenerator<ShownTree> {
  const recognized = await recognize(request)
  for (const name of requestedFormats(recognized)) {
    const format = await packageFormat(name)
    const tree = await format.tree(recognized, depth)
    if (tree.rejection === undefined) expectApplicableOfCrds(request, requestedFormats(recognized))
    yield tree
  }
}
