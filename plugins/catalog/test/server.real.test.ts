import {beforeAll, expect, it, jest} from '@jest/globals'
import {cpSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {runInNewContext} from 'node:vm'
import {describeCluster} from '../../../test/cluster/describe-cluster.js'
import {corpusEntries, CORPUS_ROOT} from '../../../test/corpus.js'
import {missingTool} from '../../../test/missing-tool.js'
import {describeReal} from '../../../test/real-parts.js'
import {runCliWith} from '../../../test/run-cli.js'
import {runProgram} from '../../../test/run-program.js'
import {temporaryFolder, writeTree} from '../../../test/temporary-folder.js'
import {asObject, asText, type JsonObject, readYaml} from 'kubectl-crossplane/plugin'

jest.setTimeout(process.env.CATALOG_KINDS === undefined ? 300_000 : 3_600_000)

const SRC = join(import.meta.dirname, '../src')
const home = temporaryFolder()
const SEED = Number(process.env.SOAK_SEED ?? 1)
const KINDS = Number(process.env.CATALOG_KINDS ?? 8)
const INPUTS = Number(process.env.CATALOG_INPUTS ?? 30)
const PACKAGES = [
  'provider-sql@v0.16.0',
  'provider-kubernetes@v1.2.1',
  'provider-helm@v1.4.0',
  'provider-gitlab@v0.21.0',
]

function random(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
}

/** A kind with each of the limits that forms check. */
const LIMITED = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: limits.catalog.example.org}
spec:
  group: catalog.example.org
  scope: Cluster
  names: {plural: limits, kind: Limit, singular: limit, listKind: LimitList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        required: [spec]
        properties:
          spec:
            type: object
            required: [size]
            properties:
              size: {type: integer, minimum: 1, maximum: 10, exclusiveMaximum: true}
              ratio: {type: number, multipleOf: 0.5}
              color: {type: string, enum: [red, green]}
              name: {type: string, pattern: '^[a-z]+$', minLength: 2, maxLength: 5}
              port: {x-kubernetes-int-or-string: true}
              when: {type: string, format: date-time}
              list: {type: array, minItems: 1, maxItems: 2, items: {type: string}}
              set: {type: array, x-kubernetes-list-type: set, items: {type: string}}
              map: {type: object, maxProperties: 1, additionalProperties: {type: integer}}
              isOn: {type: boolean}
              big: {type: integer, format: int64, enum: [9223372036854775807, 9007199254740993], default: 9007199254740993}
              inner: {type: object, required: [a], properties: {a: {type: string}, b: {type: string, default: x}}}
`

/** For each field, values that are accepted or not. */
const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  size: [1, 9, 0, 10, 'two', 2.5],
  ratio: [1.5, 2, 0.3],
  color: ['red', 'blue', ''],
  name: ['abc', 'a', 'abcdef', 'ABC', 'no', 'true'],
  port: [80, 'http', true],
  when: ['2026-11-29T12:00:00Z', 'yesterday'],
  list: [['a'], ['a', 'b', 'c'], [], [1]],
  set: [
    ['a', 'b'],
    ['a', 'a'],
  ],
  map: [{a: 1}, {a: 1, b: 2}, {a: 'x'}, {'key: #1': 2}],
  isOn: [true, false, 'yes'],
  big: [9_223_372_036_854_775_807n, 9_223_372_036_854_775_806n, 9_007_199_254_740_992],
  inner: [{a: 'x'}, {b: 'y'}, {a: 'multi\nline "text"'}, {}],
}

interface FormRules {
  problemsOf(schema: unknown, value: unknown): readonly unknown[]
  yamlOf(value: unknown): string
  fromJson(value: unknown): unknown
}

/** The very script of pages. */
function formRules(): FormRules {
  const context: {catalogForm?: FormRules} = {}
  runInNewContext(readFileSync(join(import.meta.dirname, '../site/form-rules.js'), 'utf8'), context)
  return context.catalogForm!
}

const FIELD =
  /class="field" id="([^"]+)"[^>]*>\s*(?:<div>\s*<a[^>]*>|<summary>\s*<b>)[^<]*<\/[ab]>\s*<span class="type">([^<]*)<\/span\s*>(\s*<span class="required">)?/g

/** `PATH TYPE` of each field of a version on a page, with a mark for required ones. */
function fieldsOfPage(markup: string, version: string): readonly string[] {
  return [...markup.matchAll(FIELD)].flatMap(([, id = '', type = '', isRequired]) => {
    if (!id.startsWith(`${version}.`)) return []
    const path = id.slice(version.length + 1).replace(/\[\]|\.\*/g, '')
    return [`${path} ${type}${isRequired === undefined ? '' : ' required'}`]
  })
}

/** The same of what kubectl prints, without the fields that all metadata has. */
function fieldsOfExplain(text: string): readonly string[] {
  const path: string[] = []
  let metadata = Infinity
  return text.split('\n').flatMap(line => {
    const [, indent = '', name = '', type = '', isRequired] =
      /^( +)(\S+)\t<(.*)>( -required-)?$/.exec(line) ?? []
    if (name === '') return []
    const depth = indent.length / 2 - 1
    path.splice(depth, path.length, name)
    if (depth <= metadata) metadata = type === 'ObjectMeta' ? depth : Infinity
    if (depth > metadata) return []
    return [`${path.join('.')} ${type}${isRequired === undefined ? '' : ' required'}`]
  })
}

const missing =
  missingTool('kubectl') ?? (corpusEntries('corpus-xpkg').length === 0 ? 'no corpus' : undefined)

describeReal('the tools for a catalog beside an API server', missing, () => {
  describeCluster('current', 'pages and an API server', cluster => {
    const kubectl = async (args: readonly string[], input = '') =>
      await runProgram('kubectl', args, {input, env: {KUBECONFIG: cluster().kubeconfig}})
    const apply = async (text: string) => {
      const {status, stderr} = await kubectl(['apply', '--server-side', '-f', '-'], text)
      if (status !== 0) throw new Error(`kubectl apply: ${stderr}`)
    }
    const crds: {readonly crd: JsonObject; readonly page: string}[] = []

    beforeAll(async () => {
      for (const name of PACKAGES)
        cpSync(join(CORPUS_ROOT, 'corpus-xpkg', name), join(home, 'packages', name), {recursive: true})
      writeTree(join(home, 'packages'), {
        'limits@v1.0.0/crossplane.yaml':
          'apiVersion: meta.pkg.crossplane.io/v1\nkind: Provider\nmetadata: {name: limits}\n',
        'limits@v1.0.0/crd.yaml': LIMITED,
      })
      const args = [
        '--packages',
        join(home, 'packages'),
        '--output-dir',
        join(home, 'site'),
        '--offline',
        '--quiet',
      ]
      expect(await runCliWith(SRC, 'catalog', 'build', ...args)).toMatchObject({status: 0})
      crds.push(...drawnCrds())
      for (const {crd} of crds) await apply(JSON.stringify(crd))
      await apply(LIMITED)
      await kubectl(['wait', '--for=condition=Established', 'crd', '--all', '--timeout=60s'])
    })

    it('show the same fields, types and required fields as kubectl explain', async () => {
      for (const {crd, page} of crds) {
        const {group, names, versions} = asObject(crd.spec)
        for (const version of (versions as readonly JsonObject[]).filter(({served}) => served === true)) {
          const name = asText(version.name)
          const args = [
            'explain',
            asText(asObject(names).plural),
            '--recursive',
            `--api-version=${asText(group)}/${name}`,
          ]
          const text = await explained(args)
          const own = fieldsOfPage(readFileSync(page, 'utf8'), name)
          expect(own.length).toBeGreaterThan(3)
          expect({page, fields: [...own].sort()}).toEqual({page, fields: [...fieldsOfExplain(text)].sort()})
        }
      }
    })

    /** An API server publishes schemas a few seconds after a CRD. */
    async function explained(args: readonly string[]): Promise<string> {
      let failure = ''
      for (let attempt = 0; attempt < 40; attempt += 1) {
        const {status, stdout, stderr} = await kubectl(args)
        failure = stderr
        if (status === 0 && stdout.includes('FIELDS:')) return stdout
        await new Promise(resolve => setTimeout(resolve, 500))
      }
      throw new Error(`kubectl ${args.join(' ')}: ${failure}`)
    }

    it('accept and reject the same objects in forms', async () => {
      const rules = formRules()
      const [document] = readYaml(new TextEncoder().encode(LIMITED), 'crd')
      const value = asObject(document?.value)
      const [version] = asObject(value.spec).versions as readonly JsonObject[]
      const schema = asObject(asObject(version?.schema).openAPIV3Schema)
      const below = random(SEED)
      const counts = {accepted: 0, rejected: 0}
      for (let input = 0; input < INPUTS; input += 1) {
        const spec: Record<string, unknown> = {}
        for (const [name, values] of Object.entries(VALUES)) {
          if (name !== 'size' && below(4) > 0) continue
          spec[name] = values[below(2) === 0 ? 0 : below(values.length)]
        }
        const object = rules.fromJson({
          apiVersion: 'catalog.example.org/v1',
          kind: 'Limit',
          metadata: {name: `input-${input}`},
          spec,
        })
        const problems = rules.problemsOf(schema, rules.fromJson({spec}))
        const yaml = rules.yamlOf(object)
        const {status, stderr} = await kubectl(
          ['create', '--dry-run=server', '--validate=false', '-f', '-'],
          yaml,
        )
        counts[status === 0 ? 'accepted' : 'rejected'] += 1
        expect({yaml, isAccepted: problems.length === 0, problems, stderr}).toEqual({
          yaml,
          isAccepted: status === 0,
          problems,
          stderr,
        })
      }
      expect(Math.min(counts.accepted, counts.rejected)).toBeGreaterThan(0)
    })
  })
})

/** CRDs of real packages, drawn by the seed, with their pages. */
function drawnCrds(): {readonly crd: JsonObject; readonly page: string}[] {
  const all = PACKAGES.flatMap(name =>
    corpusEntries('corpus-xpkg', name, 'crds').map(file => {
      const [document] = readYaml(readFileSync(join(CORPUS_ROOT, 'corpus-xpkg', name, 'crds', file)), file)
      const crd = withoutConversion(asObject(document?.value))
      const kind = `${asText(asObject(crd.metadata).name)}.html`
      return {crd, page: join(home, 'site/p', name.replace('@', '/'), 'kinds', kind)}
    }),
  )
  const below = random(SEED)
  return Array.from({length: Math.min(KINDS, all.length)}, () => all.splice(below(all.length), 1)[0]!)
}

/** The service of a webhook that converts versions is set by the core when it installs the package. */
function withoutConversion(crd: JsonObject): JsonObject {
  const {conversion: _conversion, ...spec} = asObject(crd.spec)
  return {...crd, spec}
}
