import {afterAll, expect, it} from '@jest/globals'
import {join} from 'node:path'
import {localFile, localFiles} from '../../src/adapters/local-files.js'
import {localPackage} from '../../src/adapters/local-package.js'
import {packagesFolder} from '../../src/adapters/packages-folder.js'
import {type RenderFiles, renderFiles} from '../../src/package/stack/render-files.js'
import {type RenderPackage, renderPackage} from '../../src/package/stack/render-package.js'
import type {EraName} from '../../src/reference/era-name.js'
import {ERAS} from '../../src/render/era.js'
import {asObject, asText, type JsonObject, type JsonValue} from '../../src/yaml/json-value.js'
import {writeYaml} from '../../src/yaml/write-yaml.js'
import {CORPUS_ROOT, corpusEntries, corpusText, describeCorpus} from '../corpus.js'
import {withoutServerDefaults} from './server-defaults.js'
import {byIdentity, recording} from './recording.js'
import {editedDocument, Rules, withEraController} from './rules.js'

const rules = new Rules()

afterAll(() => {
  process.stderr.write(
    `Rules used against what the original created: ${JSON.stringify(rules.counts, null, 2)}\n`,
  )
})

const ports = {
  sources: {directory: localPackage, files: localFiles, file: localFile},
  remote: {},
  folder: packagesFolder(CORPUS_ROOT),
}

/** The case's requests rendered as its manager was set up: its flags stand in the recording's second line. */
async function expand(
  era: EraName,
  name: string,
  answer: readonly JsonObject[],
  flags: string,
): Promise<JsonObject[]> {
  const requests = answer.filter(({kind}) => asText(kind).endsWith('Install'))
  const choices = {
    era: ERAS[era],
    base: false,
    pin: false,
    createNamespace: answer.some(({metadata}) =>
      asText(asObject(metadata).name).startsWith('crossplane:ns:'),
    ),
    includeRequest: true,
    crds: {apiVersion: 'v1beta1', nonStructural: 'refuse'} as const,
    allowCorePermissions: flags.includes('--insecure-allow-all-apigroups'),
    allowFullDeployment: flags.includes('--insecure-pass-full-deployment'),
  }
  const query = queryOf(name, requests)
  const set = await ('files' in query
    ? renderFiles(query, choices, ports)
    : renderPackage(query, choices, ports))
  return set.objects.map(each => each.object).filter(({kind}) => kind !== 'Namespace')
}

function queryOf(name: string, requests: readonly JsonObject[]): RenderFiles | RenderPackage {
  if (name !== BY_DIGEST)
    return {
      files: [{name, bytes: Buffer.from(writeYaml(requests))}],
      systemNamespace: 'crossplane-system',
      policy: () => Promise.reject(new Error('no request of the corpus names a CRD')),
    }
  const {metadata, spec} = requests[0] as {
    metadata: {name: string; namespace: string}
    spec: Record<string, string>
  }
  return {
    reference: join(CORPUS_ROOT, 'corpus/provider-azure@v0.11.0'),
    asPackage: spec.package,
    parameters: {
      ...metadata,
      systemNamespace: metadata.namespace,
      source: spec.source,
      imagePullSecrets: [],
      serviceAccountAnnotations: {},
    },
  }
}

/** The package whose CRD's version its record left empty, and for which v0.12 therefore waited forever. */
const UNFINISHED = 'app-wordpress@de238a6'

/** The one request by digest, whose package no folder can be asked for by tag. */
const BY_DIGEST = 'image-with-registry-digest-azure-v0.11.0'

/** The original's answer as the Rules would have it; `ours` only says which defaults of the API server we give. */
function ruled(
  era: EraName,
  name: string,
  answer: readonly JsonObject[],
  ours: Readonly<Record<string, JsonObject>>,
): JsonObject[] {
  const installed = answer.filter(({kind}) => kind !== 'Job')
  if (installed.length < answer.length) rules.count('an install set holds no install job')
  const changes: readonly (readonly [string, (document: JsonObject) => JsonObject])[] = [
    ['accounts and role bindings carry record labels', document => withRecordLabels(era, document)],
    ['rules: null is an empty list', withRules],
    [
      'an object as it was asked for, without defaults of the API server',
      document => withoutServerDefaults(document, ours[identityOf(document)]),
    ],
    [
      'the default controller of template stacks is that of the era',
      document => withEraController(ERAS[era], document),
    ],
    ...(CASE_RULES[name] ?? []),
  ]
  return changes.reduce((documents, [rule, change]) => rules.apply(rule, documents, change), installed)
}

function identityOf(document: JsonObject): string {
  return Object.keys(byIdentity([document])).join()
}

/** There they had an owner reference alone, which needs a UID. */
function withRecordLabels(era: EraName, document: JsonObject): JsonObject {
  if (document.kind !== 'ServiceAccount' && document.kind !== 'RoleBinding') return document
  const {name = '', namespace = ''} = document.metadata as Record<string, string>
  const labels = {
    'core.crossplane.io/parent-group': ERAS[era].group,
    'core.crossplane.io/parent-kind': ERAS[era].kinds.record,
    'core.crossplane.io/parent-name': name,
    'core.crossplane.io/parent-namespace': namespace,
    'core.crossplane.io/parent-version': 'v1alpha1',
  }
  return {...document, metadata: {...(document.metadata as JsonObject), labels}}
}

function withRules(document: JsonObject): JsonObject {
  const isPlainRole = document.kind === 'ClusterRole' && document.aggregationRule === undefined
  return isPlainRole && document.rules === undefined ? {...document, rules: []} : document
}

/** Rules that only one recording shows. */
const CASE_RULES: Readonly<
  Record<string, readonly (readonly [string, (document: JsonObject) => JsonObject])[]>
> = {
  [BY_DIGEST]: [
    [
      'a version is never empty: sha256-… for a digest',
      document =>
        JSON.parse(
          JSON.stringify(document)
            .replaceAll(':v0.11.0:', ':sha256-0123456789ab:')
            .replaceAll('"version":"v0.11.0"', '"version":"sha256-0123456789ab"'),
        ) as JsonObject,
    ],
  ],
  [UNFINISHED]: [
    [
      'a record names the storage version of a CRD without spec.version',
      document =>
        editedDocument(
          document,
          ['spec', 'customresourcedefinitions', 0, 'apiVersion'],
          version => `${asText(version)}v1alpha1`,
        ),
    ],
    [
      'a CRD carries its claims',
      document =>
        document.kind === 'CustomResourceDefinition'
          ? editedDocument(document, ['metadata', 'labels'], labels => ({
              ...(labels as JsonObject),
              'namespace.crossplane.io/team-a': 'true',
              'parent.packages.crossplane.io/team-a-app-wordpress': 'true',
            }))
          : document,
    ],
  ],
}

for (const [reference, era] of [
  ['v0.12', 'packages'],
  ['v0.10', 'stacks'],
] as const) {
  describeCorpus(`the objects that ${reference} created`, () => {
    const answerTo = (name: string) => recording('reference', reference, 'expand', `${name}.yaml`)
    const flagsOf = (name: string) =>
      corpusText('reference', reference, 'expand', `${name}.yaml`).split('\n')[1] ?? ''
    const cases = corpusEntries('reference', reference, 'expand')
      .filter(file => file.endsWith('.yaml'))
      .map(file => file.replace(/\.yaml$/, ''))

    it.each(cases)('%s is the same', async name => {
      const answer = answerTo(name)
      const ours = byIdentity((await expand(era, name, answer, flagsOf(name))).map(labelsOfCrd))
      const theirs = byIdentity(ruled(era, name, answer, ours).map(labelsOfCrd))
      const unfinished = Object.keys(ours).filter(identity => name === UNFINISHED && !(identity in theirs))
      expect(unfinished).toEqual(name === UNFINISHED ? NEVER_CREATED : [])
      expect({...ours, ...Object.fromEntries(unfinished.map(identity => [identity, undefined]))}).toEqual(
        theirs,
      )
    })
  })
}

/** What v0.12 would have created next for the package it waited for. */
const NEVER_CREATED = [
  'rbac.authorization.k8s.io/v1 ClusterRole  package:team-a:app-wordpress:0.0.1:admin',
  'rbac.authorization.k8s.io/v1 ClusterRole  package:team-a:app-wordpress:0.0.1:edit',
  'rbac.authorization.k8s.io/v1 ClusterRole  package:team-a:app-wordpress:0.0.1:view',
  'apps/v1 Deployment team-a app-wordpress-controller',
]

/** Of CRDs the recording holds name and labels alone; the unpack suite compares the rest. */
function labelsOfCrd(document: JsonObject): JsonObject {
  if (document.kind !== 'CustomResourceDefinition') return document
  const {name, labels} = document.metadata as Record<string, JsonValue>
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: document.kind,
    metadata: {name: name ?? '', labels: labels ?? {}},
  }
}
