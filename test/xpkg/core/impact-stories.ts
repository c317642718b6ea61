import {expect} from '@jest/globals'
import {readYaml} from '../../../src/yaml/read-yaml.js'
import {asObject, asObjects, asText, type JsonObject} from '../../../src/yaml/json-value.js'
import {STORIES, type Story} from '../../commands/usage-world.js'
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

function schemaOf(fields: string): JsonObject {
  return {properties: {spec: {type: 'object', properties: fieldsOf(fields)}}}
}

function fieldsOf(text: string): JsonObject {
  return asObject(readYaml(Buffer.from(`{${text}}`), 'story')[0]?.value)
}
