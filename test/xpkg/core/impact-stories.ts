import {expect} from '@jest/globals'
import {mkdtempSync} from 'node:fs'
import {join} from 'node:path'
import {readYaml} from '../../../src/yaml/read-yaml.js'
import {asObject, asObjects, asText, type JsonObject} from '../../../src/yaml/json-value.js'
import {STORIES, type Story} from '../../commands/usage-world.js'
import {writeTree} from '../../temporary-folder.js'
import {fail, run, succeed} from './package-commands.js'
import {publish} from './published-packages.js'

/** The cluster in which the stories happen. */
interface StoryCluster {
  readonly folder: string
  /** The repository of a name. */
  readonly at: (name: string) => string
  readonly create: (object: {
    readonly apiVersion: string
    readonly kind: string
    readonly metadata: {readonly name: string}
    readonly spec: JsonObject
  }) => Promise<unknown>
  readonly flags: readonly string[]
}

/** Upgrades a Provider of each story, with and without the capability for which its CRDs are ManagedResourceDefinitions. */
export async function expectJudgedStories(cluster: StoryCluster): Promise<void> {
  for (const [index, story] of STORIES.entries()) {
    await expectJudged(story, `Story${index}`, cluster)
    if (index === 0) await expectJudged(story, `Safe${index}`, cluster, ['safe-start'])
  }
}

async function expectJudged(
  story: Story,
  kind: string,
  {folder, at, create, flags}: StoryCluster,
  capabilities: readonly string[] = [],
): Promise<void> {
  const repository = at(kind.toLowerCase())
  const provider = {repository, kind: 'Provider', requires: [], capabilities, defines: kind}
  await publish(folder, [
    {...provider, tag: 'v1.0.0', crdSchema: schemaOf(story.old)},
    {...provider, tag: 'v2.0.0', crdSchema: schemaOf(story.now)},
  ])
  const activation = capabilities.length === 0 ? [] : ['--activate=all']
  await succeed('install', `${repository}:v1.0.0`, ...activation, ...flags)
  const spec = fieldsOf(story.spec.replace('\n', ', '))
  await create({apiVersion: 'core.example.org/v1', kind, metadata: {name: 'mine'}, spec})
  const isRejected = !story.want.some(text => text.startsWith('lost')) || story.spec.startsWith('rules')
  const stopped = await fail('upgrade', `${repository}:v2.0.0`, ...flags)
  expect(stopped.status).toBe(5)
  expect(stopped.errors[0]).toContain(
    isRejected ? 'the new schema rejects 1 of 1 custom resource' : 'has effects on 1 custom resource',
  )
  const sides = ['--old', `${repository}:v1.0.0`, '--new', `${repository}:v2.0.0`]
  const impact = await run('impact', ...sides, '--context', 'test', '--output', 'json')
  expect(impact.status).toBe(1)
  const {findings} = asObject(JSON.parse(impact.stdout) as JsonObject)
  const told = asObjects(findings).map(({verdict, path}) => `${asText(verdict)} ${asText(path)}`)
  expect(told.sort()).toEqual(story.want)
  const accepted = await run('upgrade', `${repository}:v2.0.0`, '--accept-impact', ...flags)
  expect(accepted.status).toBe(isRejected ? 5 : 0)
  if (!isRejected) expect(accepted.stderr).toContain('[fields-pruned]')
}

/** Upgrades a Configuration whose XRD publishes fewer connection details, with a composite resource that requests them. */
export async function expectJudgedKeys({folder, at, create, flags}: StoryCluster): Promise<void> {
  const repository = at('keys')
  for (const [tag, keys] of [
    ['v1.0.0', ['user', 'password']],
    ['v2.0.0', ['user']],
  ] as const) {
    const source = writeTree(mkdtempSync(join(folder, 'keys-')), {
      'crossplane.yaml': JSON.stringify({
        ...{apiVersion: 'meta.pkg.crossplane.io/v1', kind: 'Configuration', metadata: {name: 'keys'}},
      }),
      'xrd.yaml': JSON.stringify(xrdOf(keys)),
    })
    await succeed('push', `${repository}:${tag}`, source)
  }
  await succeed('install', `${repository}:v1.0.0`, ...flags)
  const spec = {writeConnectionSecretToRef: {name: 'mine', namespace: 'default'}}
  await create({apiVersion: 'keys.example.org/v1', kind: 'XKeyed', metadata: {name: 'mine'}, spec})
  const upgraded = await run('upgrade', `${repository}:v2.0.0`, ...flags)
  expect(upgraded.status).toBe(0)
  expect(upgraded.stderr).toContain(
    'spec.writeConnectionSecretToRef: meaning: connection details no longer have password',
  )
}

function xrdOf(connectionSecretKeys: readonly string[]): JsonObject {
  const schema = {openAPIV3Schema: {type: 'object', properties: {spec: {type: 'object'}}}}
  return {
    ...{apiVersion: 'apiextensions.crossplane.io/v1', kind: 'CompositeResourceDefinition'},
    metadata: {name: 'xkeyeds.keys.example.org'},
    spec: {
      group: 'keys.example.org',
      names: {kind: 'XKeyed', plural: 'xkeyeds'},
      connectionSecretKeys,
      versions: [{name: 'v1', served: true, referenceable: true, schema}],
    },
  }
}

function schemaOf(fields: string): JsonObject {
  return {properties: {spec: {type: 'object', properties: fieldsOf(fields)}}}
}

function fieldsOf(text: string): JsonObject {
  return asObject(readYaml(Buffer.from(`{${text}}`), 'story')[0]?.value)
}
