import {expect, it} from '@jest/globals'
import {asObject, asObjects, asText, type JsonObject} from '../../src/yaml/json-value.js'
import {describeCluster} from '../cluster/describe-cluster.js'
import {type Answer, type Kube, until} from '../cluster/kube.js'
import {corpusEntries, describeCorpus} from '../corpus.js'
import {runCli} from '../run-cli.js'
import {objectsIn} from './printed-objects.js'
import {realPackage} from './some-packages.js'

const PATIENCE = 180_000

/** What has to be there before other objects of a set can be tried. */
const FIRST = new Set(['CustomResourceDefinition', 'Namespace'])

async function renderedObjects(tree: string): Promise<readonly JsonObject[]> {
  const {folder, flags} = realPackage(tree)
  const all = ['--with-package-api', '--create-namespace', '--include-request', '--allow-core-permissions']
  const {stdout, stderr, status} = await runCli('package', 'render', folder, ...flags, ...all)
  if (status !== 0) throw new Error(stderr)
  return objectsIn(stdout) as unknown as readonly JsonObject[]
}

function refusals(answers: readonly Answer[]): unknown[] {
  return answers.filter(({code}) => code >= 400).map(({code, body}) => ({code, message: body.message}))
}

function conditionsOf({body}: Answer): Record<string, unknown> {
  const conditions = asObjects(asObject(body.status).conditions)
  return Object.fromEntries(conditions.map(({type, status}) => [asText(type), status]))
}

async function isEstablished(kube: Kube, crd: JsonObject): Promise<Record<string, unknown>> {
  const answer = await until(
    () => kube.get(crd),
    found => conditionsOf(found).Established === 'True',
  )
  return conditionsOf(answer)
}

/** Trees in rounds, in each of which no two are releases of one package: their CRDs do not get in each other's way. */
function rounds(trees: readonly string[]): string[][] {
  const found: string[][] = []
  for (const tree of trees) {
    const name = tree.replace(/@.*/, '')
    const free = found.find(round => !round.some(other => other.startsWith(`${name}@`)))
    if (free === undefined) found.push([tree])
    else free.push(tree)
  }
  return found
}

async function tryAll(kube: Kube, objects: readonly JsonObject[]): Promise<unknown> {
  const first = objects.filter(({kind}) => FIRST.has(asText(kind)))
  const crds = first.filter(({kind}) => kind === 'CustomResourceDefinition')
  const applied = await Promise.all(first.map(object => kube.apply(object, {force: true})))
  const conditions = await Promise.all(crds.map(crd => isEstablished(kube, crd)))
  const others = objects.filter(object => !first.includes(object))
  const tried = await Promise.all(others.map(object => kube.apply(object, {dryRun: true, force: true})))
  return {
    refused: refusals([...applied, ...tried]),
    nonStructural: conditions.filter(each => each.NonStructuralSchema === 'True'),
    tried: applied.length + tried.length,
  }
}

describeCorpus('the rendered objects of a real package', () => {
  const trees = corpusEntries('corpus').filter(name => name.includes('@'))
  for (const [index, round] of rounds(trees).entries()) {
    describeCluster('current', `on a current API server, round ${index + 1}`, cluster => {
      it.each(round)(
        '%s: every CRD becomes Established, and every other object is accepted',
        async tree => {
          const objects = await renderedObjects(tree)
          const want = {refused: [], nonStructural: [], tried: objects.length}
          expect(await tryAll(cluster().kube, objects)).toEqual(want)
        },
        PATIENCE,
      )
    })
  }
})
