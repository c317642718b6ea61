import {nameOf, objectText} from '../../kubernetes/object-key.js'
import {podImages} from '../../kubernetes/pod-images.js'
import {present} from '../../present.js'
import {withTrust} from '../../locate/with-trust.js'
import type {ImageName} from '../../reference/image-name.js'
import {repositoryName} from '../../reference/repository-name.js'
import type {InstallSet} from '../../render/install-set.js'
import {type RenderChoices, setOf} from '../../render/render-part.js'
import type {InputFile} from '../../render/written-input.js'
import {expectFew, expectImageSource, expectSource} from '../../resolve/packages/source-policy.js'
import {readPolicy, type RequestPorts} from '../../pipeline/request/read-request.js'
import type {ResolutionSettings} from '../../pipeline/request/request-query.js'
import {withVerifiedImages} from '../../pipeline/signatures/rendered-images.js'
import {expectJudgedInstalls, locatedAs} from './judge-installs.js'
import type {ResolvedSet} from './render-resolved.js'
import {expectSourcedImages} from './sourced-images.js'
import {type FilePart, fileParts, type RenderFiles} from './render-files.js'

/** Requests and records in files, and the policy of a team that decides about them. */
interface PolicedFiles extends Pick<RenderFiles, 'namespace' | 'systemNamespace'> {
  readonly settings: ResolutionSettings
  readonly read: () => Promise<readonly InputFile[]>
}

/**
 * Renders the requests and records in files as the policy of a team allows: its sources, signatures, limits and rules. Throws
 * `policy-refused` and `signature-refused`.
 */
export async function renderFilesUnderPolicy(
  {settings, read, ...query}: PolicedFiles,
  choices: RenderChoices,
  ports: RequestPorts,
): Promise<InstallSet & Pick<ResolvedSet, 'notes' | 'planPolicies'>> {
  const policy = await readPolicy(settings, ports)
  const {teams, trust, defaultSource} = policy
  const packages = withTrust(await ports.packages(), trust)
  const expectAllowed = (name: ImageName) => {
    expectSource(repositoryName(name, defaultSource), teams)
  }
  const files = {...query, files: await read(), policy: () => Promise.resolve(policy), expectAllowed}
  const {parts, warnings, notes} = await fileParts(files, choices, packages)
  for (const part of parts) expectRecordSource(part, teams)
  const named = parts.map(withPackage)
  expectFew(identitiesOf(named), teams)
  const set = setOf(choices, parts, warnings)
  expectSourcedImages(named, set.objects, policy)
  const objects = await withVerifiedImages(set, new Map(), policy, packages)
  const planPolicies = await expectJudgedInstalls(named, objects, new Map(), policy)
  return {...set, objects, notes, ...present({planPolicies})}
}

/** A record names no package, so that its images are compared. */
function expectRecordSource(
  {objects, located}: FilePart,
  teams: Parameters<typeof expectImageSource>[1],
): void {
  if (located !== undefined) return
  const record = objects.findLast(({phase}) => phase === 'records')?.object
  const by = record === undefined ? '' : objectText(nameOf(record))
  for (const image of podImages(objects.map(({object}) => object))) expectImageSource({image, by}, teams)
}

/** Only for rules: the set of a request has no package of a lock. A record in a file names none at all. */
function withPackage({install, objects, located}: FilePart): FilePart {
  if (located === undefined) return {install, objects}
  return {install: {...install, package: locatedAs(located.located, located.version)}, objects}
}

function identitiesOf(parts: readonly FilePart[]): readonly string[] {
  return [...new Set(parts.flatMap(({install}) => install.package?.identity ?? []))]
}
