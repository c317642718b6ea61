import {beforeAll} from '@jest/globals'
import {load} from 'js-yaml'
import {schemaRules} from '../../src/adapters/cel/schema-rules.js'
import {lintPackage} from '../../src/author/lint/lint-package.js'
import {CrossplaneError} from '../../src/errors.js'
import type {KubernetesObject} from '../../src/kubernetes/kubernetes-object.js'
import {renderPackage} from '../../src/package/stack/render-package.js'
import {baseCrds} from '../../src/render/base-crds.js'
import {ERAS} from '../../src/render/era.js'
import type {PackageFile} from '../../src/unpack/package-file.js'
import {asText, type JsonObject} from '../../src/yaml/json-value.js'
import type {TestCluster} from '../cluster/api-server.js'
import {accepted} from '../cluster/kube.js'
import {describeCluster} from '../cluster/describe-cluster.js'
import {packagePorts} from './package-ports.js'
import {BASES} from './server-lint-bases.js'
import {STACK_BASES} from './server-lint-stack-bases.js'
import {compareVerdicts, type KnownDifference, refused} from './verdicts.js'

/** Differences that are right, by what the server answers and lint reports. */
const KNOWN: readonly KnownDifference[] = [
  {
    reason: 'the cost of expressions is not estimated',
    isIt: ({answer = ''}) => /estimated rule cost|cost total/.test(answer),
  },
]

const rules = schemaRules()

const bases = [...BASES.slice(0, 1), ...STACK_BASES]
/** The files of a sound package, by the kind of the object in each. */
const FILES: Readonly<Record<string, string>> = {
  CustomResourceDefinition: 'widget.crd.yaml',
  Deployment: 'install.yaml',
  App: 'app.yaml',
}

/** The files of a package with one object instead of the sound one of its kind. */
function filesWith(object: JsonObject): readonly PackageFile[] {
  const sound = bases.map(text => load(text) as JsonObject).filter(base => base.kind !== object.kind)
  const named = new Map([...sound, object].map(one => [fileOf(one), one]))
  return [...named].map(([path, one]) => {
    const {kind, ...app} = one
    const content = kind === 'App' ? app : one
    return {path, bytes: Buffer.from(JSON.stringify(content))}
  })
}

function fileOf({kind}: JsonObject): string {
  return FILES[asText(kind)] ?? 'install.yaml'
}

function lintErrors(object: JsonObject): readonly string[] {
  return lintPackage({files: filesWith(object), rules})
    .filter(({severity}) => severity === 'error')
    .map(({rule, message}) => `${message} [${rule}]`)
}

describeCluster('current', 'faulty objects of packages of Crossplane v0.12', haveOneVerdict)

const choices = {
  era: ERAS.packages,
  base: false,
  crds: {apiVersion: 'v1', nonStructural: 'refuse'},
  pin: true,
  createNamespace: false,
  includeRequest: true,
  allowCorePermissions: true,
  allowFullDeployment: false,
} as const

const parameters = {
  namespace: 'default',
  systemNamespace: 'crossplane-system',
  imagePullSecrets: [],
  serviceAccountAnnotations: {},
}

const query = {reference: './pkg', asPackage: 'example/pkg:v0.1.0', parameters}

function haveOneVerdict(cluster: () => TestCluster): void {
  beforeAll(async () => {
    for (const crd of baseCrds(ERAS.packages)) accepted(await cluster().kube.create(crd))
  }, 120_000)

  /** Returns what the server rejects of all that is rendered, or the object itself if nothing is. */
  async function refusal(object: JsonObject): Promise<string | undefined> {
    for (const one of (await rendered(object)) ?? [object]) {
      const answer = refused(await cluster().kube.create(one, {dryRun: true}))
      if (answer !== undefined) return answer
    }
    return undefined
  }

  compareVerdicts({bases, refusal, lint: lintErrors, known: KNOWN})
}

async function rendered(object: JsonObject): Promise<readonly KubernetesObject[] | undefined> {
  try {
    const {objects} = await renderPackage(query, choices, packagePorts(filesWith(object)))
    return objects.map(({object: one}) => one)
  } catch (error) {
    if (error instanceof CrossplaneError) return undefined
    throw error
  }
}
