import Ajv, {type ErrorObject} from 'ajv'
import {readFileSync} from 'node:fs'
import {createRequire} from 'node:module'
import {dirname, join} from 'node:path'
import {once} from '../once.cjs'

const require = createRequire(import.meta.url)

interface Schema {
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, unknown>>
}

interface Content {
  readonly content?: Readonly<Record<string, {readonly schema: Schema}>>
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema: Schema
}

interface Operation {
  readonly operationId: string
  readonly parameters?: readonly (Parameter | Schema)[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content | Schema>>
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

/** A request as it was received: the path is without that of the API, and the query is separate. */
export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  /** JSON; empty without a body. */
  readonly body: string
}

/** What any operation may answer, which most of them do not list. https://docs.github.com/en/rest/using-the-rest-api/troubleshooting-the-rest-api */
const COMMON: Readonly<Record<number, string>> = {
  301: 'moved_permanently',
  401: 'requires_authentication',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  // The description has no answer of its own for a limit of requests: it is worded as a refusal.
  429: 'forbidden',
  500: 'internal_error',
  502: 'internal_error',
  503: 'service_unavailable',
}

/** GitHub's own description of its API, in the package `@octokit/openapi`: what requests and answers must look like. */
export class GitHubDescription {
  readonly #document: Description
  readonly #ajv = new Ajv({
    ...{allErrors: true, nullable: true, unknownFormats: 'ignore', coerceTypes: false, logger: false},
  })
  readonly #compiled = new Map<string, (value: unknown) => readonly string[]>()

  constructor() {
    const root = dirname(require.resolve('@octokit/openapi/package.json'))
    // The index of the package reads all of its descriptions, which are 400 MB.
    const file = join(root, 'generated/api.github.com.json')
    this.#document = once('the API of GitHub', () => JSON.parse(readFileSync(file, 'utf8')) as Description)
  }

  /** What the API does not allow of a request. */
  ofRequest(request: ReceivedRequest): readonly string[] {
    const found = this.#operation(request)
    if (found === undefined) return [`there is no operation ${request.method} ${request.path}`]
    const {operation, id} = found
    const parameters = (operation.parameters ?? []).map(one => this.#resolved(one) as Parameter)
    const known = new Map(parameters.flatMap(one => (one.in === 'query' ? [[one.name, one] as const] : [])))
    return [
      ...[...request.query].flatMap(([name, value]) => this.#ofParameter(id, known.get(name), name, value)),
      ...this.#ofBody(id, operation, request.body),
    ]
  }

  /** What an answer has that the API does not send. */
  ofAnswer(request: ReceivedRequest, status: number, value: unknown): readonly string[] {
    const operation = this.#operation(request)?.operation
    const listed = operation?.responses[status]
    const common = COMMON[status]
    const answer = listed ?? (common === undefined ? undefined : {$ref: `#/components/responses/${common}`})
    if (answer === undefined) return [`${status} is no answer to ${request.method} ${request.path}`]
    const schema = jsonSchema(this.#resolved(answer) as Content)
    if (schema === undefined) return value === undefined ? [] : [`${status} has no content`]
    const key = `${operation?.operationId ?? ''} answers ${status}`
    return this.#violations(key, schema, value)
  }

  /** GitHub's example of a pull request. */
  pullRequest(): Readonly<Record<string, unknown>> {
    const {value} = this.#resolved({$ref: '#/components/examples/pull-request'}) as {readonly value: object}
    return value as Readonly<Record<string, unknown>>
  }

  #operation({method, path}: Pick<ReceivedRequest, 'method' | 'path'>) {
    for (const [template, methods] of Object.entries(this.#document.paths)) {
      const operation = methods[method.toLowerCase()]
      const pattern = new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
      if (operation !== undefined && pattern.test(path)) return {operation, id: operation.operationId}
    }
    return undefined
  }

  #ofParameter(id: string, parameter: Parameter | undefined, name: string, text: string): readonly string[] {
    if (parameter === undefined) return [`${id} has no parameter ${name}`]
    const {type} = this.#resolved(parameter.schema) as {readonly type?: string}
    const value = type === 'integer' ? Number(text) : text
    return this.#violations(`${id} ?${name}`, parameter.schema, value)
  }

  #ofBody(id: string, {requestBody}: Operation, body: string): readonly string[] {
    const schema = jsonSchema(requestBody ?? {})
    if (schema === undefined) return body === '' ? [] : [`${id} has no body`]
    const value: unknown = JSON.parse(body)
    const {properties = {}} = this.#resolved(schema) as Schema
    const unknown = Object.keys(value as object).filter(name => !(name in properties))
    // GitHub ignores a field that it does not know: then it has no effect.
    return [
      ...unknown.map(name => `${id} has no field ${name}`),
      ...this.#violations(`${id} body`, schema, value),
    ]
  }

  #violations(key: string, schema: Schema, value: unknown): readonly string[] {
    const check = this.#compiled.get(key) ?? this.#compile(schema)
    this.#compiled.set(key, check)
    return check(value).map(violation => `${key}: ${violation}`)
  }

  /** Compiles a schema with the parts of the description that it refers to. */
  #compile(schema: Schema): (value: unknown) => readonly string[] {
    const definitions = new Map<string, unknown>()
    const visit = (part: unknown): unknown => {
      if (Array.isArray(part)) return part.map(visit)
      if (typeof part !== 'object' || part === null) return part
      const {$ref} = part as Schema
      if (typeof $ref === 'string') {
        const name = $ref.split('/').at(-1) ?? ''
        if (!definitions.has(name)) {
          definitions.set(name, true)
          definitions.set(name, visit(this.#resolved({$ref})))
        }
        return {$ref: `#/definitions/${name}`}
      }
      const fields = Object.entries(part).filter(([name]) => !['example', 'examples'].includes(name))
      return Object.fromEntries(fields.map(([name, field]) => [name, visit(field)]))
    }
    const own = visit(schema)
    const validate = this.#ajv.compile({allOf: [own], definitions: Object.fromEntries(definitions)})
    return value => (validate(value) === true ? [] : (validate.errors ?? []).map(violationText))
  }

  #resolved(part: object): unknown {
    const {$ref} = part as Schema
    if ($ref === undefined) return part
    const names = $ref.replace('#/', '').split('/')
    return names.reduce<unknown>(
      (at, name) => (at as Readonly<Record<string, unknown>>)[name],
      this.#document,
    )
  }
}

function jsonSchema({content}: Content): Schema | undefined {
  return content?.['application/json']?.schema
}

function violationText({dataPath, message = ''}: ErrorObject): string {
  return `${dataPath === '' ? 'it' : dataPath} ${message}`
}
