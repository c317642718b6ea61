import {expectApplicableOfCrds} from '../../package/expect-applicable.js'
import {packageFormat, requestedFormats} from '../../package/formats.js'
import {recognize} from '../../package/recognize.js'
import type {WhyReport} from '../../package/reports.js'
import type {ReadRequest} from '../request/read-request.js'

/** Explains one package of a request, or the one that provides a CRD. Throws `not-found` if it would not be installed. */
export async function whyRequest(what: string, request: ReadRequest): Promise<WhyReport> {
  const recognized = await recognize(request)
  let missing: unknown
  for (const name of requestedFormats(recognized)) {
    const format = await packageFormat(name)
    const answer = await format.why(what, recognized)
    if (!(answer instanceof Error)) {
      expectApplicableOfCrds(request, requestedFormats(recognized))
      return answer
    }
    missing = answer
  }
  throw missing
}
