import {expect} from '@jest/globals'
import {type FieldPath, formatPath, type JsonObject, type JsonValue} from '../../src/yaml/json-value.js'
import {FORMATS, STORY_PACKAGE, storyDeclaration, UsageWorld} from '../commands/usage-world.js'
import {missingTool} from '../missing-tool.js'
import {describeReal} from '../real-parts.js'
import {temporaryFolder} from '../temporary-folder.js'
import {below, campaign, pick} from './campaign.js'

type Random = () => number

/** A field before and after an upgrade, with a value of it. */
interface Changed {
  readonly old: JsonObject
  /** Absent where the field is gone. */
  readonly now?: JsonObject
  readonly value: JsonValue
}

const TEXT = {type: 'string'}
const PORT = {type: 'object', properties: {port: {type: 'integer'}}}

/** The public stories of broken upgrades, each with other types. */
const CHANGES: readonly Changed[] = [
  {old: TEXT, value: 'a'},
  {old: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true}, value: {a: [1]}},
  {old: {'x-kubernetes-int-or-string': true}, value: 80},
  {old: {type: 'boolean'}, now: TEXT, value: true},
  {old: {type: 'boolean'}, now: {...TEXT, nullable: true}, value: false},
  {old: {type: 'integer'}, now: {type: 'boolean'}, value: 1},
  {old: {type: 'array', items: PORT}, now: PORT, value: [{port: 80}]},
  {old: {type: 'array', items: TEXT}, now: {type: 'object', additionalProperties: TEXT}, value: ['a']},
  {old: PORT, now: {type: 'array', items: PORT}, value: {port: 80}},
]

const NAMES = ['zone', 'x-y', 'a.b', 'isOn', 'constructor', 'toString', 'items', 'properties', 'type', '$id']

/** A part of a schema around a field, and of an object around its value. */
interface Around {
  readonly schema: (inner: JsonObject) => JsonObject
  readonly value: (inner: JsonObject) => JsonValue
  readonly steps: FieldPath
}

const AROUND: readonly ((name: string) => Around)[] = [
  name => ({
    schema: inner => ({type: 'object', properties: {[name]: inner, other: TEXT}}),
    value: inner => ({[name]: inner}),
    steps: [name],
  }),
  name => ({
    schema: inner => ({type: 'object', properties: {[name]: {type: 'array', items: inner}}}),
    value: inner => ({[name]: [inner]}),
    steps: [name, 0],
  }),
  name => ({
    schema: inner => ({type: 'object', properties: {[name]: {type: 'object', additionalProperties: inner}}}),
    value: inner => ({[name]: {key: inner}}),
    steps: [name, 'key'],
  }),
]

/** A story within objects, lists and maps. */
function storyOf(random: Random) {
  const change = pick(random, CHANGES)
  const name = pick(random, NAMES)
  const around = Array.from({length: below(random, 4)}, () => pick(random, AROUND)(pick(random, NAMES)))
  const fields = (field: JsonObject | undefined): JsonObject => ({
    type: 'object',
    properties: {...(field === undefined ? {} : {[name]: field}), size: {type: 'integer'}},
  })
  const schemaOf = (field: JsonObject | undefined) =>
    around.reduceRight((inner, {schema}) => schema(inner), fields(field))
  const specOf = (own: JsonObject) =>
    around.reduceRight<JsonValue>((inner, {value}) => value(inner as JsonObject), own)
  // The world writes fields within braces.
  const textOf = (schema: JsonObject) => JSON.stringify(schema.properties).slice(1, -1)
  return {
    old: textOf(schemaOf(change.old)),
    now: textOf(schemaOf(change.now)),
    spec: JSON.stringify(specOf({[name]: change.value, size: 1})),
    harmless: JSON.stringify(specOf({size: 1})),
    path: formatPath(['spec', ...around.flatMap(({steps}) => steps), name]),
    isGone: change.now === undefined,
  }
}

describeReal('a public story of a broken upgrade', missingTool('git'), () => {
  const folder = temporaryFolder()

  campaign(
    'is found by each command, wherever its field is',
    {short: 2, long: 40},
    async ({number, random}) => {
      const {path, isGone, harmless, ...story} = storyOf(random)
      const world = new UsageWorld(folder, FORMATS[number % 2]!, story)
      await world.committed()
      const target = `${STORY_PACKAGE}:v2.0.0`
      const impact = await world.run('impact', target, '-o', 'json')
      const {findings} = JSON.parse(impact.stdout) as {findings: {verdict: string; path: string}[]}
      const verdicts = findings.filter(one => one.path === path).map(({verdict}) => verdict)
      expect({status: impact.status, path, verdicts}).toEqual({
        ...{status: 1, path},
        verdicts: isGone ? ['breaks', 'lost'] : expect.arrayContaining(['breaks']),
      })

      const upgrade = ['upgrade', target, '--git', '.', '--assume-no-instances', '--yes'] as const
      const stopped = await world.run(...upgrade)
      expect({status: stopped.status, stderr: stopped.stderr}).toEqual({
        ...{status: 5, stderr: expect.stringContaining(`Db main ${path}: breaks`)},
      })
      expect(world.git('rev-list', '--count', 'HEAD').trim()).toBe('1')

      world.git('branch', 'base')
      world.write({'crossplane-packages.yaml': storyDeclaration('v2.0.0')})
      expect(await world.rendered()).toContain('[usage-impact]')
      world.commit('bump by hand')
      const check = ['check', '--git', '.', '--since', 'base'] as const
      const judged = await world.run(...check)
      expect({status: judged.status, stdout: judged.stdout}).toEqual({
        ...{status: 1, stdout: expect.stringContaining(`Db main ${path}`)},
      })

      // Without the field, nothing stops.
      world.edit('clusters/db.yaml', story.spec, harmless)
      const {status, stdout} = await world.run(...check)
      expect({status, stdout}).toMatchObject({status: 0})
    },
  )
})
