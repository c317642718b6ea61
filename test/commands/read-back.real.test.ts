import {beforeAll, describe, expect, it} from '@jest/globals'
import {CORE_SCHEMA, loadAll, type Schema, YAML11_SCHEMA} from 'js-yaml'
import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {corpusEntries, describeCorpus} from '../corpus.js'
import {missingTool} from '../missing-tool.js'
import {describeReal} from '../real-parts.js'
import {runCli} from '../run-cli.js'
import {runProgram} from '../run-program.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {realPackage} from './some-packages.js'
import {LONG_STRINGS, quoted, SHORT_STRINGS} from './tricky-strings.js'

const temporary = temporaryFolder()

/** A package that says a tricky string wherever it may say one, as a value and as a key. */
const SCALARS = writeTree(join(temporary, 'cli-scalars'), {
  '.registry/app.yaml': `
title: ${quoted('yes')}
version: "1.0"
permissionScope: Cluster
readme: ${quoted(LONG_STRINGS[2] ?? '')}
overview: ${quoted('a\ttab\nand: lines\n')}
keywords: [${[...SHORT_STRINGS, ...LONG_STRINGS].map(quoted).join(', ')}]
`,
  '.registry/install.yaml': `
apiVersion: apps/v1
kind: Deployment
metadata: {name: controller}
spec:
  selector: {}
  template:
    metadata:
      annotations: {${SHORT_STRINGS.map((text, index) => `a${index}: ${quoted(text)}`).join(', ')}}
    spec:
      containers:
      - name: controller
        image: example/controller:1.0
        args: [${SHORT_STRINGS.map(quoted).join(', ')}]
        env: [${SHORT_STRINGS.map((text, index) => `{name: E${index}, value: ${quoted(text)}}`).join(', ')}]
`,
  '.registry/scalars.crd.yaml': `
apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata:
  name: scalars.example.org
  annotations: {${SHORT_STRINGS.map((text, index) => `a${index}: ${quoted(text)}`).join(', ')}}
spec:
  group: example.org
  names: {kind: Scalar, plural: scalars}
  scope: Cluster
  version: v1
  validation:
    openAPIV3Schema:
      type: object
      description: ${quoted(LONG_STRINGS[3] ?? '')}
      enum: [${SHORT_STRINGS.map(quoted).join(', ')}, 1, -7, 1.5, true, false, null, 9007199254740991]
      properties: {${SHORT_STRINGS.map(text => `${quoted(text)}: {type: string, description: ${quoted(text)}}`).join(', ')}}
`,
})

interface Printed {
  /** The YAML stream. */
  readonly yaml: string
  /** The same objects from JSON, which has a single interpretation. */
  readonly objects: readonly unknown[]
}

async function printed(folder: string, ...flags: readonly string[]): Promise<Printed> {
  const yaml = await runCli('package', 'render', folder, ...flags)
  const json = await runCli('package', 'render', folder, ...flags, '-o', 'json')
  expect([yaml.status, json.status]).toEqual([0, 0])
  return {yaml: yaml.stdout, objects: (JSON.parse(json.stdout) as {items: unknown[]}).items}
}

/** Keeps strings and replaces other scalars: parsers differ in numbers, which is harmless. */
function strings(value: unknown): unknown {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(strings)
  if (typeof value !== 'object' || value === null || value instanceof Date) return 0
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, strings(item)]))
}

const read = (yaml: string, schema: Schema) => loadAll(yaml, {schema})

describe('js-yaml reads the printed YAML', () => {
  let scalars: Printed
  beforeAll(async () => {
    scalars = await printed(SCALARS)
  })

  it('every string is the same', () => {
    const record = scalars.objects.find(object => (object as {kind: string}).kind === 'Package')
    expect((record as {spec: {keywords: string[]}}).spec.keywords).toEqual([
      ...SHORT_STRINGS,
      ...LONG_STRINGS,
    ])
  })

  it('YAML 1.2: ambiguous scalars', () => {
    expect(read(scalars.yaml, CORE_SCHEMA)).toEqual(scalars.objects)
  })

  it('YAML 1.1: ambiguous scalars', () => {
    expect(strings(read(scalars.yaml, YAML11_SCHEMA))).toEqual(strings(scalars.objects))
  })
})

describeCorpus('js-yaml reads every real package', () => {
  it.each(corpusEntries('corpus').filter(name => name.includes('@')))('%s', async tree => {
    const {folder, flags} = realPackage(tree)
    const {yaml, objects} = await printed(folder, ...flags)
    expect(read(yaml, CORE_SCHEMA)).toEqual(objects)
    expect(strings(read(yaml, YAML11_SCHEMA))).toEqual(strings(objects))
  })
})

/** What kubectl reads in a file: JSON documents, each with the requested label. */
async function readByKubectl(yaml: string): Promise<unknown[]> {
  const file = join(temporary, 'stream.yaml')
  writeFileSync(file, yaml)
  const args = ['label', '--local', '-f', file, '-o', 'json', 'read=back']
  const {status, stdout, stderr} = await runProgram('kubectl', args, {
    env: {KUBECONFIG: '/dev/null', HOME: temporary},
  })
  expect({status, stderr}).toEqual({status: 0, stderr: ''})
  const documents = stdout.split(/^(?=\{$)/m).map(text => JSON.parse(text) as Labelled)
  return documents.map(withoutLabel)
}

interface Labelled {
  readonly metadata: {readonly labels: Readonly<Record<string, string>>}
}

function withoutLabel({metadata, ...rest}: Labelled): unknown {
  const {labels, ...others} = metadata
  const {read: back, ...left} = labels
  expect(back).toBe('back')
  return {...rest, metadata: {...others, ...(Object.keys(left).length === 0 ? {} : {labels: left})}}
}

describeReal('kubectl reads the printed YAML', missingTool('kubectl'), () => {
  it('ambiguous scalars', async () => {
    const {yaml, objects} = await printed(SCALARS)
    expect(await readByKubectl(yaml)).toEqual(objects)
  })

  it('the base and namespaces', async () => {
    const {yaml, objects} = await printed(SCALARS, '--with-package-api', '--create-namespace')
    expect(await readByKubectl(yaml)).toEqual(objects)
  })

  describeCorpus('of real packages', () => {
    it('every one', async () => {
      const streams: Printed[] = []
      for (const tree of corpusEntries('corpus').filter(name => name.includes('@'))) {
        const {folder, flags} = realPackage(tree)
        streams.push(await printed(folder, ...flags))
      }
      expect(streams.length).toBeGreaterThan(0)
      expect(await readByKubectl(streams.map(({yaml}) => yaml).join('---\n'))).toEqual(
        streams.flatMap(({objects}) => objects),
      )
    })
  })
})
