import {beforeAll} from '@jest/globals'
import {schemaRules} from '../../src/adapters/cel/schema-rules.js'
import {lintXpkg} from '../../src/author/lint/lint-xpkg.js'
import {present} from '../../src/present.js'
import {crdsOfXrd} from '../../src/xpkg/content/xrd-crds.js'
import {asObject, asObjects, asText, isJsonObject, type JsonObject} from '../../src/yaml/json-value.js'
import type {TestCluster} from '../cluster/api-server.js'
import {describeReal} from '../real-parts.js'
import {describeCluster} from '../cluster/describe-cluster.js'
import {missingPrograms} from '../cluster/find-server.js'
import {crossplane} from '../cluster/servers.js'
import {serveCrds} from '../gitops/programs.js'
import {BASES} from './server-lint-bases.js'
import {compareVerdicts, type KnownDifference, refused} from './verdicts.js'

/** Differences that are right, by what the server answers and lint reports. */
const KNOWN: readonly KnownDifference[] = [
  {
    reason: 'the cost of expressions is not estimated',
    isIt: ({answer = ''}) => /estimated rule cost|cost total/.test(answer),
  },
  {
    isEarlier: true,
    reason: 'Crossplane decodes what the schema of an operation leaves open, and rejects the package',
    isIt: ({answer, errors}) => answer === undefined && errors.some(error => error.endsWith('[field-type]')),
  },
  {
    isEarlier: true,
    reason: 'the server does not see that Crossplane derives no CRD without a schema',
    isIt: ({answer, errors}) =>
      answer === undefined && errors.some(error => error.includes('no CRD can be derived')),
  },
]

const rules = schemaRules()

/** The errors of lint for one object, but for those about the package as a whole. */
function lintErrors(object: JsonObject): readonly string[] {
  const kind = ['CustomResourceDefinition', 'ManagedResourceDefinition'].includes(asText(object.kind))
    ? 'Provider'
    : 'Configuration'
  const meta = {apiVersion: 'meta.pkg.crossplane.io/v1', kind, metadata: {name: 'example'}}
  const files = [
    {path: 'crossplane.yaml', bytes: Buffer.from(JSON.stringify(meta))},
    {path: 'object.yaml', bytes: Buffer.from(JSON.stringify(object))},
  ]
  return lintXpkg({files, rules})
    .filter(({severity}) => severity === 'error')
    .map(({rule, message}) => `${message} [${rule}]`)
}

describeReal('faulty objects of packages', missingPrograms([crossplane]), () => {
  describeCluster('current', 'for a server with the CRDs of Crossplane', haveOneVerdict)
})

function haveOneVerdict(cluster: () => TestCluster): void {
  beforeAll(async () => {
    await serveCrds(cluster().kube, [crossplane])
  }, 120_000)

  /** Returns what the server rejects: the object, or a CRD that Crossplane derives from it. */
  async function refusal(object: JsonObject): Promise<string | undefined> {
    const dryRun = async (one: JsonObject) => await cluster().kube.create(one, {dryRun: true})
    const own = refused(await dryRun(sentByCore(object)))
    if (own !== undefined) return own
    for (const crd of derivedFrom(object)) {
      const derived = refused(await dryRun(crd))
      if (derived !== undefined) return derived
    }
    if (object.kind !== 'CompositeResourceDefinition') return undefined
    // Crossplane decodes the schemas of an XRD before it derives anything; the server decodes them as those of a CRD.
    const decoded = await dryRun(asCrd(object))
    return decoded.code === 400 ? refused(decoded) : undefined
  }

  compareVerdicts({bases: BASES, refusal, lint: lintErrors, known: KNOWN})
}

/** Crossplane writes the scope of an MRD also if the package has none, so that the default of the server does not apply. */
function sentByCore(object: JsonObject): JsonObject {
  const {kind, spec} = object
  if (kind !== 'ManagedResourceDefinition' || !isJsonObject(spec)) return object
  return {...object, spec: {...spec, scope: spec.scope ?? ''}}
}

function derivedFrom(object: JsonObject): readonly JsonObject[] {
  if (object.kind === 'CompositeResourceDefinition') return crdsOfXrd(object)
  return object.kind === 'ManagedResourceDefinition' ? [asCrd(object)] : []
}

/** A CRD with the fields that a definition has in common with one. */
function asCrd({metadata, spec}: JsonObject): JsonObject {
  const {group, names, scope = 'Namespaced', versions} = asObject(spec)
  const own = asObjects(versions).map(({referenceable, ...version}) => ({
    ...version,
    storage: referenceable ?? version.storage ?? false,
  }))
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: asObject(metadata).name ?? ''},
    spec: {...present({group, names}), scope, versions: own},
  }
}
