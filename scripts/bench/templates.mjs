// What `template render` costs beside `helm template` and `kubectl kustomize`, for the first custom resource of a process
// and for each further one.
import {mkdirSync, writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {missingForClusters} from './cluster.mjs'
import {measure} from './measure.mjs'
import {measuredRow, peerOf} from './rows.mjs'
import {testServer} from './test-server.mjs'

/** Further custom resources of a process. */
const FURTHER = 1000
/** The goals: ratios for the first custom resource and for each further one, and MB for all of them. */
const WANTED_FURTHER = 0.5
const MAX_PEAK = 250

/** @typedef {{name: string, other: string, first: number, command: (folder: string) => readonly string[]}} Engine */

/** @type {import('./parts.mjs').Part} */
export const TEMPLATES = {
  name: 'templates',
  title: 'Templates',
  about: `\`template render\` of a chart and of a kustomization with three objects each, beside the programs of their engines: for one custom resource, and the time of each of ${FURTHER} further ones in the same process. Before the first one, V8 compiles the engines.`,
  measure: async ({folder, builds}) => {
    const helm = testServer('helm')
    const kubectl = missingForClusters()
    writeTree(folder)
    /** @type {readonly Engine[]} */
    const engines = [
      ...(helm === undefined
        ? []
        : [{name: 'chart', other: 'helm template', first: 15, command: commandOf(helm, 'template', 'one')}]),
      ...(kubectl.length > 0
        ? []
        : [
            {
              name: 'kustomize',
              other: 'kubectl kustomize',
              first: 10,
              command: commandOf('kubectl', 'kustomize'),
            },
          ]),
    ]
    const jobs = engines.flatMap(engine => [
      {work: engine.other, command: engine.command(join(folder, engine.name, engine.name))},
      ...builds.flatMap(({name, command}) => [
        {work: firstOf(engine), build: name, command: [...command, ...renderOf(folder, engine, 'one.yaml')]},
        {work: allOf(engine), build: name, command: [...command, ...renderOf(folder, engine, 'all.yaml')]},
      ]),
    ])
    const results = await measure(jobs)
    return {
      rows: engines.flatMap(engine => rowsOf(engine, results)),
      missing: [
        ...(helm === undefined ? ['charts: `npm run cluster:setup` builds helm'] : []),
        ...kubectl.map(name => `kustomizations: ${name}`),
      ],
    }
  },
}

/** @param {Engine} engine */
const firstOf = ({name}) => `render, ${name}`
/** @param {Engine} engine */
const allOf = ({name}) => `render, ${name}, ${FURTHER + 1} custom resources`

/**
 * @param {Engine} engine
 * @param {readonly import('./measure.mjs').Result[]} results
 * @returns {readonly import('./table.mjs').Row[]}
 */
function rowsOf(engine, results) {
  const peer = peerOf(results, engine.other)
  return results.flatMap(result => {
    const {work, build} = result.job
    if (work === engine.other) return [measuredRow(result)]
    if (work === firstOf(engine)) return [measuredRow(result, {peer, wanted: engine.first})]
    if (work !== allOf(engine)) return []
    const first = results.find(({job}) => job.work === firstOf(engine) && job.build === build)
    const ms = (result.median - (first?.median ?? Number.NaN)) / FURTHER
    const each = {work: '… each further one', build, ms, peer, wanted: WANTED_FURTHER}
    return [measuredRow(result, {wantedPeak: MAX_PEAK}), each]
  })
}

/**
 * @param {string} program
 * @param {readonly string[]} args
 */
function commandOf(program, ...args) {
  return (/** @type {string} */ folder) => [program, ...args, folder]
}

/**
 * @param {string} folder
 * @param {Engine} engine
 * @param {string} file
 */
function renderOf(folder, {name}, file) {
  return ['template', 'render', join(folder, name), '-f', join(folder, name, file), '--quiet']
}

/** @param {string} folder */
function writeTree(folder) {
  const cr = (/** @type {string} */ name) =>
    `apiVersion: bench.example.org/v1\nkind: Bench\nmetadata:\n  name: ${name}\n  namespace: default\nspec:\n  replicas: 2\n`
  const all = Array.from({length: FURTHER + 1}, (_, i) => cr(`bench-${i}`)).join('---\n')
  const package_ = {
    '.registry/app.yaml': APP,
    '.registry/crd.yaml': CRD,
    'one.yaml': cr('one'),
    'all.yaml': all,
  }
  write(join(folder, 'chart'), {...package_, ...CHART})
  write(join(folder, 'kustomize'), {...package_, ...KUSTOMIZATION})
}

/**
 * @param {string} folder
 * @param {Readonly<Record<string, string>>} files
 */
function write(folder, files) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), {recursive: true})
    writeFileSync(join(folder, path), text)
  }
}

const APP = `title: Bench
permissionScope: Cluster
dependsOn:
- crd: deployments.apps/v1
- crd: services/v1
`
const CRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: benches.bench.example.org}
spec:
  group: bench.example.org
  names: {kind: Bench, plural: benches}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, properties: {replicas: {type: integer}}}
          status: {type: object, x-kubernetes-preserve-unknown-fields: true}
`
const behavior = (/** @type {string} */ engine, /** @type {string} */ path) =>
  `crd: {apiVersion: bench.example.org/v1, kind: Bench}\nengine:\n  type: ${engine}\nsource: {path: ${path}}\n`

/** @param {string} name @param {string} replicas */
const objects = (name, replicas) => ({
  'deployment.yaml': `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "example.org/web:v1"}]}
`,
  'service.yaml': `apiVersion: v1
kind: Service
metadata: {name: ${name}}
spec: {selector: {app: web}, ports: [{port: 80}]}
`,
  'settings.yaml': `apiVersion: v1
kind: ConfigMap
metadata: {name: ${name}}
data: {mode: fast}
`,
})

/**
 * @param {string} folder
 * @param {Readonly<Record<string, string>>} files
 */
function below(folder, files) {
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]))
}

const CHART = {
  '.registry/behavior.yaml': behavior('helm3', 'chart'),
  'chart/Chart.yaml': 'apiVersion: v2\nname: bench\nversion: 1.0.0\n',
  'chart/values.yaml': 'replicas: 1\n',
  ...below('chart/templates', objects('{{ .Release.Name }}', '{{ .Values.replicas }}')),
}
const KUSTOMIZATION = {
  '.registry/behavior.yaml': behavior(
    'kustomize\n  kustomize:\n    kustomization: {kind: Kustomization}\n    overlays:\n    - {apiVersion: apps/v1, kind: Deployment, name: web, bindings: [{from: spec.replicas, to: spec.replicas}]}',
    'kustomize',
  ),
  'kustomize/kustomization.yaml': 'resources: [deployment.yaml, service.yaml, settings.yaml]\n',
  ...below('kustomize', objects('web', '1')),
}
