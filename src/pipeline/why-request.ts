import {CrossplaneError} from '../errors.js'
import {listNames} from '../text.js'
import type {ReadRequest} from './request/read-request.js'
import {requestedClosure} from './xpkg/requested-closure.js'
import {splitRequest} from './xpkg/split-request.js'
import {xpkgWhy} from './xpkg/xpkg-why.js'
import {why, type WhyReport} from './why.js'

/** Explains one package of a request, of either format, or the one that provides a CRD. Throws as `why` does. */
export async function whyRequest(what: string, request: ReadRequest): Promise<WhyReport> {
  const {policy, packages} = request
  const parts = await splitRequest(request)
  if (parts.xpkgs.length === 0) return await why(what, parts.stacks, policy, packages)
  const closure = await requestedClosure(parts, request)
  const report = xpkgWhy(what, closure, policy)
  if (report !== undefined) return report
  if (parts.stacks.length > 0) return await why(what, parts.stacks, policy, packages)
  const names = listNames(closure.packages.map(({repository}) => repository))
  throw new CrossplaneError('not-found', `${what} is not part of what would be installed`, {
    suggestions: [`Use one of ${names}.`],
  })
}
