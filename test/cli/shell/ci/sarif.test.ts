import {describe, expect, it} from '@jest/globals'
import {resolve} from 'node:path'
import {lintReport} from '../../../../src/author/lint/lint-report.js'
import {LINT_RULES} from '../../../../src/author/lint/lint-rules.js'
import {formatSarif} from '../../../../src/cli/shell/ci/sarif.js'
import {type JsonSchema, schemaViolations} from '../../../json-schema.js'

const TEXT: JsonSchema = {type: 'string'}
const MESSAGE: JsonSchema = {type: 'object', required: ['text'], properties: {text: TEXT}}
const LEVEL: JsonSchema = {type: 'string', enum: ['none', 'note', 'warning', 'error']}

/** The part of the schema of SARIF 2.1.0 that logs use; properties that it lacks are violations. */
const SARIF: JsonSchema = {
  type: 'object',
  required: ['version', 'runs'],
  properties: {
    $schema: TEXT,
    version: {enum: ['2.1.0']},
    runs: {
      type: 'array',
      items: {
        type: 'object',
        required: ['tool', 'results'],
        properties: {
          tool: {
            type: 'object',
            required: ['driver'],
            properties: {
              driver: {
                type: 'object',
                required: ['name'],
                properties: {
                  name: TEXT,
                  version: TEXT,
                  rules: {type: 'array', items: {$ref: '#/definitions/reportingDescriptor'}},
                },
              },
            },
          },
          results: {type: 'array', items: {$ref: '#/definitions/result'}},
        },
      },
    },
  },
  definitions: {
    reportingDescriptor: {
      type: 'object',
      required: ['id'],
      properties: {
        id: TEXT,
        shortDescription: MESSAGE,
        fullDescription: MESSAGE,
        help: MESSAGE,
        defaultConfiguration: {type: 'object', properties: {level: LEVEL}},
      },
    },
    result: {
      type: 'object',
      required: ['message'],
      properties: {
        ruleId: TEXT,
        ruleIndex: {type: 'integer', minimum: -1},
        level: LEVEL,
        message: MESSAGE,
        locations: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              physicalLocation: {
                type: 'object',
                required: ['artifactLocation'],
                properties: {
                  artifactLocation: {type: 'object', properties: {uri: TEXT}},
                  region: {type: 'object', properties: {startLine: {type: 'integer', minimum: 1}}},
                },
              },
            },
          },
        },
      },
    },
  },
}

interface Log {
  readonly runs: readonly {
    readonly results: readonly {
      readonly message: {readonly text: string}
      readonly locations: readonly {
        readonly physicalLocation: {readonly artifactLocation: {readonly uri: string}}
      }[]
    }[]
  }[]
}

function logOf(reference: string, file = '.registry/app.yaml', message = 'a message'): Log {
  const finding = {severity: 'error', rule: 'field-type', message, file, advice: 'Fix it.'} as const
  return JSON.parse(formatSarif(lintReport(reference, [finding]), reference, '1.2.3')) as Log
}

describe('a log of SARIF', () => {
  it('has the form of the standard, for every rule, with and without a line', () => {
    const findings = LINT_RULES.flatMap(({id, severity, advice}) => [
      {severity, rule: id, message: 'a message', file: '.registry/app.yaml', line: 1, advice},
      {severity, rule: id, message: 'a message', file: '.registry', advice},
    ])
    const log: unknown = JSON.parse(formatSarif(lintReport('./a', findings), './a', '1.2.3'))
    expect(schemaViolations(SARIF, log)).toEqual([])
  })

  it.each([
    {
      name: 'spaces and punctuation',
      in: './a b,1:2%',
      file: '.registry/app.yaml',
      want: 'a%20b%2C1%3A2%25/.registry/app.yaml',
    },
    {
      name: 'a name with a colon',
      in: './http:',
      file: '.registry/app.yaml',
      want: 'http%3A/.registry/app.yaml',
    },
    {name: 'a query and a fragment', in: './a', file: '.registry/b?c#d', want: 'a/.registry/b%3Fc%23d'},
    {name: 'half of a character', in: './a', file: '.registry/\uD800', want: 'a/.registry/%EF%BF%BD'},
    {
      name: 'an absolute path',
      in: resolve('a'),
      file: '.registry/app.yaml',
      want: 'a/.registry/app.yaml',
    },
    {
      name: 'a folder outside of the repository',
      in: '/outside',
      file: '.registry/app.yaml',
      want: '.registry/app.yaml',
    },
    {
      name: 'a package in a registry',
      in: 'example/a:v1',
      file: '.registry/app.yaml',
      want: '.registry/app.yaml',
    },
  ])('names a file by a relative URI: $name', ({in: reference, file, want}) => {
    const [result] = logOf(reference, file).runs[0]?.results ?? []
    const uri = result?.locations[0]?.physicalLocation.artifactLocation.uri ?? ''
    expect(uri).toBe(want)
    expect(new URL(uri, 'https://example.org/root/').href).toBe(`https://example.org/root/${want}`)
  })

  it('has no control characters in messages', () => {
    const [result] = logOf('./a', undefined, 'a\u001b[31m\nb').runs[0]?.results ?? []
    expect(result?.message.text).toMatch(/^[\x20-\x7e]+$/)
  })
})
