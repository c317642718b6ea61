import {afterAll, expect, it} from '@jest/globals'
import {readFileSync} from 'node:fs'
import {CrossplaneError} from 'kubectl-crossplane/plugin'
import type {JsonValue} from 'kubectl-crossplane/plugin'
import {CORPUS_ROOT} from '../../../test/corpus.js'
import {describeReal} from '../../../test/real-parts.js'
import {readCustomResources} from '../src/custom-resource.js'
import type {Engine, RenderRequest} from '../src/engines/engine.js'
import {startEngine} from '../src/engines/start-engine.js'
import {scopesOf} from '../src/objects/object-scopes.js'
import {renderResource} from '../src/render-resource.js'
import {watchedKind} from '../src/watched-kind.js'
import {casesWithoutTemplates, RECORDED, type RecordedCase, recordedCases} from './recorded-cases.js'

const DIFFERENCES = 'docs/template-differences.md'
const engine = startEngine({timeLimit: 120_000})
/** v0.4.0 gave charts no namespace. */
const withoutNamespace: Engine = {
  ...engine,
  render: async request => await engine.render(asRecorded(request)),
}

function asRecorded<R extends RenderRequest>(request: R): R {
  return request.engine === 'helm3' ? {...request, release: {...request.release, namespace: ''}} : request
}

afterAll(async () => {
  await engine.close()
})

/** What the program makes of a case: objects, or the message of an error. */
async function made({
  resource,
  behavior,
  problem,
  files,
}: RecordedCase): Promise<readonly JsonValue[] | string> {
  if (problem !== undefined || behavior === undefined) return problem ?? 'the package has no templates'
  try {
    const watched = watchedKind(behavior.crd, [])
    const {resources} = readCustomResources([{name: 'cr.yaml', bytes: resource}], [watched])
    const [first] = resources
    if (first === undefined) throw new Error('the case has no custom resource')
    const sets = {sets: [], partials: [], errors: []}
    const templates = {
      behavior,
      files,
      sets,
      scope: 'Cluster',
      scopeOf: scopesOf([]),
      capabilities: {},
      live: [],
    } as const
    const {objects} = await renderResource(templates, first, withoutNamespace)
    return objects.map(({object}) => object)
  } catch (error) {
    if (error instanceof CrossplaneError) return error.message
    throw error
  }
}

/** The cases that the page on differences names. */
function documented(): readonly string[] {
  return [...readFileSync(DIFFERENCES, 'utf8').matchAll(/`((?:probe|corpus|variant)-[^`]+)`/g)].map(
    ([, name]) => name ?? '',
  )
}

const cases = recordedCases()
const missing = cases.length === 0 ? `no recorded cases in ${RECORDED}` : undefined

describeReal('rendering and templating-controller v0.4.0', missing, () => {
  const differing = documented()

  it.each(cases.filter(({name}) => !differing.includes(name)))('agree on $name', async recorded => {
    const result = await made(recorded)
    if (recorded.want === undefined) expect(typeof result).toBe('string')
    else expect(result).toEqual(recorded.want)
  })

  it.each(cases.filter(({name}) => differing.includes(name)))(
    'differ on $name, as documented',
    async recorded => {
      const result = await made(recorded)
      if (recorded.want === undefined) expect(typeof result).not.toBe('string')
      else expect(result).not.toEqual(recorded.want)
    },
  )

  it('names the real packages whose templates the corpus does not have', () => {
    const lacking = casesWithoutTemplates()
    if (lacking.length > 0)
      process.stderr.write(`SKIPPED ${lacking.join(', ')}: no templates in ${CORPUS_ROOT}\n`)
    expect(lacking.filter(name => name.startsWith('probe-'))).toEqual([])
  })

  it('has a case for each documented difference, and documents each once', () => {
    const names = cases.map(({name}) => name)
    expect(differing.filter(name => !names.includes(name))).toEqual([])
    expect(new Set(differing).size).toBe(differing.length)
  })
})
