import {expect, it} from '@jest/globals'
import {spawnSync} from 'node:child_process'
import {basename, join} from 'node:path'
import {findServer, missingPrograms} from '../cluster/find-server.js'
import {kubeconform} from '../cluster/servers.js'
import {corpusText, corpusEntries} from '../corpus.js'
import {describeReal} from '../real-parts.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {surfaceOfCorpus} from './corpus-surface.js'
import {opinionObjects, PROVIDERS} from './opinion-objects.js'

const missing = missingPrograms([kubeconform]) ?? (PROVIDERS.length === 0 ? 'the corpus' : undefined)

/** One release of each provider; the order of names is good enough. */
const NEWEST = [...new Map(PROVIDERS.map(name => [name.split('@')[0], name])).values()]

/** What docs/json-schemas.md passes to kubeconform. */
const LAYOUT = '{{.Group}}/{{.ResourceKind}}_{{.ResourceAPIVersion}}.json'

interface Opinions {
  /** The errors of objects, by file. */
  readonly ours: ReadonlyMap<string, readonly string[]>
  /** The files with parts that are not judged. */
  readonly unread: ReadonlySet<string>
  readonly theirs: ReadonlyMap<string, string>
  readonly objects: number
}

/** Lets `package validate`, and kubeconform with the schemas that `package schemas` writes, judge the same files. */
async function opinionsOf(name: string, home: string): Promise<Opinions> {
  const {objects} = opinionObjects(name, surfaceOfCorpus(name).crds)
  const crds = corpusEntries('corpus-xpkg', name, 'crds').filter(file => file.endsWith('.yaml'))
  const [repository = '', tag = ''] = name.split('@')
  const folder = `packages/team/${repository}@${tag}`
  writeTree(home, {
    [`${folder}/crossplane.yaml`]:
      'apiVersion: meta.pkg.crossplane.io/v1\nkind: Provider\nmetadata: {name: a}\n',
    ...Object.fromEntries(
      crds.map(file => [`${folder}/crds/${file}`, corpusText('corpus-xpkg', name, 'crds', file)]),
    ),
    'crossplane-packages.yaml': `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: PackageDeclaration
packages:
- package: registry.example.org/team/${repository}:${tag}
`,
    ...Object.fromEntries(objects.map(({value}, index) => [`objects/${index}.json`, jsonText(value)])),
  })
  const at = ['--declaration', join(home, 'crossplane-packages.yaml'), '--packages', join(home, 'packages')]
  const written = await runCli('package', 'schemas', join(home, 'schemas'), ...at)
  expect({status: written.status, stderr: written.stderr}).toMatchObject({status: 0})
  const validated = await runCli('package', 'validate', join(home, 'objects'), ...at, '--output', 'json')
  return {...judgedIn(validated.stdout), theirs: invalidOf(home), objects: objects.length}
}

const jsonText = (value: unknown) =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? Number(part) : part))

function judgedIn(stdout: string): Pick<Opinions, 'ours' | 'unread'> {
  const {findings, unread} = JSON.parse(stdout) as {
    findings: readonly {file: string; rule: string; path?: string; message: string}[]
    unread: readonly {file: string; reason: string}[]
  }
  const open = unread.filter(({reason}) => reason.includes('a variable, a template'))
  const byFile = new Map<string, string[]>()
  for (const {file, rule, path = '', message} of findings) {
    const name = basename(file)
    byFile.set(name, [...(byFile.get(name) ?? []), `${rule} ${path}: ${message}`])
  }
  return {ours: byFile, unread: new Set(open.map(({file}) => basename(file)))}
}

function invalidOf(home: string): ReadonlyMap<string, string> {
  const {stdout, stderr} = spawnSync(
    findServer(kubeconform) ?? '',
    [
      ...['-strict', '-output', 'json', '-schema-location', join(home, 'schemas', LAYOUT)],
      join(home, 'objects'),
    ],
    {encoding: 'utf8', maxBuffer: 2 ** 28},
  )
  expect(stderr).toBe('')
  const {resources} = JSON.parse(stdout) as {
    resources: readonly {filename: string; status: string; msg: string}[]
  }
  return new Map(resources.map(({filename, status, msg}) => [basename(filename), `${status}: ${msg}`]))
}

/** Why the opinions about an object differ, by docs/json-schemas.md; undefined if nothing explains it. */
function reasonOf(ours: readonly string[], theirs: string, isOpen: boolean): string | undefined {
  if (ours.length === 0 && /got null, want/.test(theirs)) return 'a null'
  if (ours.length === 0) return isOpen ? 'a variable' : undefined
  return ours.every(text => text.startsWith('rule-violated')) ? 'a rule in CEL' : undefined
}

describeReal('kubeconform has the same opinion', missing, () => {
  const home = temporaryFolder()

  it('of examples, generated objects and faulty ones, with the schemas that are written', async () => {
    const differing: string[] = []
    const totals = {objects: 0, invalid: 0}
    const reasons = new Set<string>()
    for (const name of NEWEST) {
      const {ours, unread, theirs, objects} = await opinionsOf(name, join(home, name))
      totals.objects += objects
      totals.invalid += theirs.size
      for (const file of new Set([...ours.keys(), ...theirs.keys()])) {
        const [own, other] = [ours.get(file) ?? [], theirs.get(file) ?? '']
        if (own.length > 0 === (other !== '')) continue
        const reason = reasonOf(own, other, unread.has(file))
        if (reason === undefined) differing.push(`${name} ${file}: ${own.join('; ')} | ${other}`)
        else reasons.add(reason)
      }
    }
    process.stderr.write(
      `${totals.objects} objects, ${totals.invalid} of them invalid for kubeconform; differing: ${[...reasons].join(', ')}\n`,
    )
    expect(differing).toEqual([])
    expect({many: totals.objects > 1000, invalid: totals.invalid > 1000}).toEqual({many: true, invalid: true})
  }, 600_000)
})
