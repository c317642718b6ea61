import type {IncomingMessage, RequestListener} from 'node:http'

type Json = Readonly<Record<string, unknown>>

/** An object of a cluster, as it is served. */
export interface ServedObject extends Json {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {readonly name: string} & Json
}

const KINDS: readonly (readonly [group: string, version: string, plural: string, kind: string])[] = [
  ...['Provider', 'Configuration', 'Function'].flatMap(kind => [
    ['pkg.crossplane.io', 'v1', `${kind.toLowerCase()}s`, kind] as const,
    ['pkg.crossplane.io', 'v1', `${kind.toLowerCase()}revisions`, `${kind}Revision`] as const,
  ]),
  ['pkg.crossplane.io', 'v1beta1', 'locks', 'Lock'],
  ['pkg.crossplane.io', 'v1beta1', 'imageconfigs', 'ImageConfig'],
  ['pkg.crossplane.io', 'v1beta1', 'deploymentruntimeconfigs', 'DeploymentRuntimeConfig'],
  ['apiextensions.k8s.io', 'v1', 'customresourcedefinitions', 'CustomResourceDefinition'],
  ['authorization.k8s.io', 'v1', 'selfsubjectaccessreviews', 'SelfSubjectAccessReview'],
]

/** The objects of a package that is installed and healthy: its request and its revision. */
export function installedPackage(kind: string, repository: string, tag: string): readonly ServedObject[] {
  const apiVersion = 'pkg.crossplane.io/v1'
  const name = repository.split('/').slice(1).join('-')
  const reference = `${repository}:${tag}`
  const isTrue = (type: string, reason: string) => ({type, status: 'True', reason})
  return [
    {
      ...{apiVersion, kind},
      metadata: {name, uid: `uid-${name}`, resourceVersion: '1', generation: 1},
      spec: {package: reference},
      status: {
        ...{currentIdentifier: reference, currentRevision: `${name}-1`},
        conditions: [
          isTrue('Installed', 'ActivePackageRevision'),
          isTrue('Healthy', 'HealthyPackageRevision'),
        ],
      },
    },
    {
      ...{apiVersion, kind: `${kind}Revision`},
      metadata: {
        ...{name: `${name}-1`, uid: `uid-${name}-1`, resourceVersion: '1'},
        labels: {'pkg.crossplane.io/package': name},
        ownerReferences: [{apiVersion, kind, name, uid: `uid-${name}`, controller: true}],
      },
      spec: {image: reference, desiredState: 'Active', revision: 1},
      status: {conditions: [isTrue('RevisionHealthy', 'HealthyPackageRevision')]},
    },
  ]
}

/** Answers for objects of a current Crossplane as an API server does: discovery, reads, and dry runs of applied objects. */
export function coreAnswers(objects: readonly ServedObject[]): RequestListener {
  return (request, response) => {
    void bodyOf(request).then(body => {
      const [status, document] = answerTo(request, body, objects)
      response.writeHead(status, {'content-type': 'application/json'})
      response.end(JSON.stringify(document))
    })
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

/** What is served besides objects. */
const DOCUMENTS: Readonly<Record<string, () => Json>> = {
  '/apis': discovery,
  '/api': () => ({kind: 'APIGroupDiscoveryList', items: []}),
  '/version': () => ({major: '1', minor: '36', gitVersion: 'v1.36.3'}),
}

function answerTo(
  {method, url = ''}: IncomingMessage,
  body: string,
  objects: readonly ServedObject[],
): readonly [number, unknown] {
  const {pathname} = new URL(url, 'http://x')
  const document = DOCUMENTS[pathname]?.()
  if (document !== undefined) return [200, document]
  const [, , group, version, plural, name] = pathname.split('/')
  const kind = KINDS.find(([own, , many]) => own === group && many === plural)?.[3]
  if (kind === 'SelfSubjectAccessReview')
    return [201, {...(JSON.parse(body) as Json), status: {allowed: true}}]
  const apiVersion = `${group ?? ''}/${version ?? ''}`
  const own = objects.filter(object => object.kind === kind && object.apiVersion === apiVersion)
  if (kind !== undefined && name === undefined)
    return [200, {kind: `${kind}List`, apiVersion, metadata: {resourceVersion: '1'}, items: own}]
  return objectAnswer(
    method,
    body,
    own.find(({metadata}) => metadata.name === name),
  )
}

function objectAnswer(
  method: string | undefined,
  body: string,
  live: ServedObject | undefined,
): readonly [number, unknown] {
  if (method === 'PATCH') return [200, merged(live, JSON.parse(body) as ServedObject)]
  return live === undefined ? [404, NOT_FOUND] : [200, live]
}

const NOT_FOUND = {
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  code: 404,
  reason: 'NotFound',
  message: 'not found',
}

/** What a dry run answers: the fields that are applied, over the others. */
function merged(live: ServedObject | undefined, applied: ServedObject): Json {
  const specs = [live?.spec, applied.spec] as readonly (Json | undefined)[]
  return {
    ...live,
    ...applied,
    metadata: {uid: 'u', resourceVersion: '1', ...live?.metadata, ...applied.metadata},
    spec: {...specs[0], ...specs[1]},
  }
}

function discovery(): Json {
  const groups = [...new Set(KINDS.map(([group]) => group))]
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    items: groups.map(group => ({metadata: {name: group}, versions: versionsOf(group)})),
  }
}

function versionsOf(group: string): readonly Json[] {
  const versions = [...new Set(KINDS.flatMap(([own, version]) => (own === group ? [version] : [])))]
  return versions.map(version => ({
    version,
    resources: KINDS.filter(([own, at]) => own === group && at === version).map(([, , plural, kind]) => ({
      resource: plural,
      responseKind: {group, version, kind},
      scope: 'Cluster',
      singularResource: kind.toLowerCase(),
      verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
    })),
  }))
}
