import type {ClusterApi} from '../../../cluster/api/cluster-api.js'
import {CrossplaneError} from '../../../errors.js'
import {readCore} from '../../../observe/core/read-core.js'
import {ifAllowed} from '../../../observe/objects/denied-reads.js'
import {
  type CoreRequest,
  type CoreState,
  isNamed,
  requestName,
} from '../../../plan/cluster/core/core-state.js'
import {escaped, shellWord} from '../../../text.js'
import {asObject, asText} from '../../../yaml/json-value.js'

/**
 * Returns the error for a name without an install that is a package for a current Crossplane: the core keeps its revisions. Undefined
 * for other names, and for a user who may not list packages. Throws the other errors of the API.
 */
export async function keptByCore(name: string, api: ClusterApi): Promise<CrossplaneError | undefined> {
  const core = await ifAllowed<CoreState | undefined>(() => readCore(api), undefined)
  const request = core?.requests.find(one => isNamed(name, one))
  if (core === undefined || request === undefined) return undefined
  const {kind} = request
  const message = `${escaped(requestName(request))} has no history of this program: Crossplane itself keeps the revisions of a ${kind}`
  const revisions = `${kind.toLowerCase()}revisions.pkg.crossplane.io`
  const label = shellWord(`pkg.crossplane.io/package=${request.name}`)
  return new CrossplaneError('unsupported', message, {
    suggestions: [`kubectl get ${revisions} --selector ${label}`, earlierVersion(request, core)],
  })
}

/** The command that returns to the version before, or that shows which versions there are. */
function earlierVersion(request: CoreRequest, {revisions}: CoreState): string {
  const {kind, name, repository, reference} = request
  const [last] = revisions
    .filter(one => one.kind === kind && one.request === name && !one.isActive)
    .sort((a, b) => b.number - a.number)
    .map(({object}) => asText(asObject(object.spec).image))
    .filter(image => image !== reference)
  return last === undefined
    ? `List the versions to install: kubectl crossplane package versions ${shellWord(repository)}`
    : `Install the earlier version: kubectl crossplane package install ${shellWord(last)}`
}
