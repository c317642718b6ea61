import {describe, expect, it} from '@jest/globals'
import type {Behavior} from 'kubectl-crossplane/plugin'
import type {TemplateFacts} from '../../src/engines/engine.js'
import {coverageOf} from '../../src/testing/coverage.js'
import type {WatchedKind} from '../../src/watched-kind.js'

type Template = TemplateFacts['templates'][number]

/** A template with one branch for each line. */
function template(path: string, ...lines: readonly number[]): Template {
  const branches = lines.map((line, id) => ({id, line, text: 'if .Values.on', kind: 'if'}) as const)
  return {path, branches, reads: [], functions: [], defines: [], uses: [], dynamic: false}
}

const SCHEMA = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        size: {type: 'integer'},
        labels: {type: 'object', additionalProperties: {type: 'string'}},
        hosts: {type: 'array', items: {type: 'object', properties: {name: {type: 'string'}}}},
      },
    },
  },
}
const KINDS: readonly WatchedKind[] = [
  {
    apiVersion: 'example.org/v1',
    group: 'example.org',
    kind: 'App',
    versions: ['v1'],
    scope: 'Namespaced',
    schema: SCHEMA,
  },
]
const BEHAVIOR: Behavior = {
  crd: {apiVersion: 'example.org/v1', kind: 'App'},
  engine: {
    type: 'kustomize',
    kustomize: {
      overlays: [
        {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          name: 'a',
          bindings: [
            {from: 'spec.size', to: 'data.size'},
            {from: 'spec.hosts', to: 'data.hosts'},
            {from: String.raw`spec.labels.example\.org/a`, to: 'data.label'},
          ],
        },
      ],
    },
  },
  source: {path: 'files'},
}
const CHART = [
  template('templates/a.yaml', 1, 2),
  template('templates/b.yaml'),
  template('templates/_names.tpl', 3),
  {...template('templates/NOTES.txt', 4), notes: true},
  template('charts/db/templates/c.yaml', 5),
  template('charts/db/templates/_library.tpl', 6),
]

function covered(facts: readonly Template[], behavior: Partial<Behavior>, spec: object) {
  const templates = {
    behavior: {...BEHAVIOR, ...behavior},
    files: new Map(),
    sets: {sets: [], partials: [], errors: []},
    scope: 'Namespaced',
    scopeOf: () => undefined,
    capabilities: {},
    live: [],
  } as const
  const runs = {printed: new Set(['templates/a.yaml']), branches: new Set(['templates/a.yaml 1'])}
  return coverageOf({templates, kinds: KINDS}, facts, {runs, resources: [{spec} as never]}).map(
    ({parts, total, missing}) => [parts, total, missing],
  )
}

describe('coverageOf', () => {
  it('lists what no test used of a chart: all that it defines, and what subcharts create', () => {
    expect(covered(CHART, {engine: {type: 'helm3'}}, {size: 1, hosts: []})).toEqual([
      ['templates', 3, ['templates/b.yaml', 'charts/db/templates/c.yaml']],
      [
        'branches',
        4,
        [
          'templates/a.yaml:1 if .Values.on',
          'templates/_names.tpl:3 if .Values.on',
          'charts/db/templates/c.yaml:5 if .Values.on',
        ],
      ],
      ['spec fields', 3, ['spec.labels', 'spec.hosts[].name']],
    ])
  })

  it('lists the bindings of a kustomization whose field no test has', () => {
    expect(covered([], {}, {hosts: [{name: 'a'}], labels: {'example.org/a': 'a'}})).toEqual([
      ['bindings', 3, ['spec.size to ConfigMap a data.size']],
      ['spec fields', 3, ['spec.size']],
    ])
  })
})
