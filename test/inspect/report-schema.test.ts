import {describe, expect, it} from '@jest/globals'
import {readFileSync, writeFileSync} from 'node:fs'
import {formatDocument} from '../../src/cli/shell/document/show.js'
import {type JsonSchema, resolve, schemaViolations} from '../json-schema.js'
import {inspectHere} from './inspect-here.js'
import {REPORT_SCHEMA} from './report-schema.js'

async function document(name: string): Promise<Record<string, unknown>> {
  const report = await inspectHere(`./test/testdata/packages/${name}`)
  return JSON.parse(formatDocument({kind: 'InspectReport', ...report}, 'json')) as Record<string, unknown>
}

describe('the schema of the report', () => {
  it.each(['inspect-wide', 'inspect-template', 'inspect-plain'])('validates %s', async name => {
    expect(schemaViolations(REPORT_SCHEMA, await document(name))).toEqual([])
  })

  it.each([
    {
      name: 'a name too many',
      reason: 'names are an interface',
      in: {other: 1},
      want: ['$.other: is not in the schema'],
    },
    {name: 'a name too few', reason: 'none is lost', in: {runs: undefined}, want: ['$.runs: is no object']},
    {
      name: 'another kind',
      reason: 'its readers require it',
      in: {kind: 'Other'},
      want: ['$.kind: is none of InspectReport'],
    },
    {
      name: 'a wrong part',
      reason: 'definitions are followed',
      in: {objects: [{apiVersion: 'v1', kind: 'Secret', count: -1}, {}]},
      want: [
        '$.objects[0].count: is below 0',
        '$.objects[1].apiVersion: is missing',
        '$.objects[1].kind: is missing',
        '$.objects[1].count: is missing',
      ],
    },
  ])('rejects $name: $reason', async ({in: change, want}) => {
    expect(schemaViolations(REPORT_SCHEMA, {...(await document('inspect-plain')), ...change})).toEqual(want)
  })

  it('describes every name', () => {
    const undescribed = fieldsOf(REPORT_SCHEMA).filter(({description}) => description.length < 5)
    expect(undescribed).toEqual([])
  })

  it('matches docs/schemas/inspect-report.md', () => {
    const file = 'docs/schemas/inspect-report.md'
    const [before = ''] = readFileSync(file, 'utf8').split(/^\| field \|.*$/m)
    const page = `${before}${table()}`
    if (process.env.UPDATE_GOLDEN === '1') writeFileSync(file, page)
    expect(readFileSync(file, 'utf8')).toBe(page)
  })
})

interface Field {
  readonly path: string
  readonly type: string
  readonly description: string
}

/** Every name of the document by its path, what is always there first described as such. */
function fieldsOf(schema: JsonSchema, path = ''): Field[] {
  const {properties = {}, required = []} = schema
  return Object.entries(properties).flatMap(([name, given]) => {
    const property = resolve(REPORT_SCHEMA, given)
    const items = resolve(REPORT_SCHEMA, property.items ?? {})
    const at = `${path}${name}${property.type === 'array' ? '[]' : ''}`
    const optional = required.includes(name) ? '' : '?'
    const field = {
      path: `${at}${optional}`,
      type: typeInWords(property, items),
      description: property.description ?? '',
    }
    return [field, ...fieldsOf(property, `${at}.`), ...fieldsOf(items, `${at}.`)]
  })
}

function typeInWords({type = 'any', enum: values}: JsonSchema, items: JsonSchema): string {
  if (type === 'array') return `list of ${typeInWords(items, {})}`
  return values === undefined ? type : values.map(value => `\`${String(value)}\``).join(', ')
}

function table(): string {
  const rows = fieldsOf(REPORT_SCHEMA).map(
    ({path, type, description}) => `| \`${path}\` | ${type} | ${description} |`,
  )
  return ['| field | type | meaning |', '|---|---|---|', ...rows, ''].join('\n')
}
