import {expect, it} from '@jest/globals'
import {corpusEntries, describeCorpus, registryFilesIn} from '../corpus.js'
import {runCli} from '../run-cli.js'
import {objectsIn} from './printed-objects.js'
import {realPackage} from './some-packages.js'

/** Trees whose app.yaml has no version: as a folder they have none, so that --as-package must bring it. */
const WITHOUT_VERSION = new Set([
  'addon-oam-kubernetes-remote@ca0a95b',
  'app-wordpress@v0.5.0',
  'provider-aws@v0.10.0',
  'provider-aws@v0.11.1',
  'provider-azure@v0.10.0',
  'provider-azure@v0.11.0',
  'provider-gcp@v0.10.0',
  'provider-gcp@v0.11.0',
  'provider-gcp@v0.7.0',
  'provider-gcp@v0.9.0',
  'provider-rook@v0.7.0',
])

/** Fields of its time that the format does not have, no scope, and a commit for a tag. */
const SAMPLE_STACK = [
  ...Array.from({length: 4}, () => 'unknown-field'),
  'permission-scope-missing',
  'version-tag',
]

/** What a tree earns of its own, by rule; the others earn none. */
const OWN_WARNINGS: Readonly<Record<string, readonly string[]>> = {
  'app-wordpress@de238a6': ['version-tag'],
  'sample-stack@652b400': SAMPLE_STACK,
  'sample-stack@71390ce': SAMPLE_STACK,
}

/** Those whose CRDs said nothing of unknown fields, which is nearly all, and those whose integers have a format. */
const PRUNED = (tree: string) => !/^(?:addon-|app-wordpress@v0\.[15]\.0)/.test(tree)
const FORMATTED = (tree: string) => /^provider-(?!aws@|azure@v0\.[23]\.)/.test(tree)

/** The rules of the warnings that a tree earns, in order of their names. */
function warningsOf(tree: string): string[] {
  return [
    ...(OWN_WARNINGS[tree] ?? []),
    ...(PRUNED(tree) ? ['crd-pruned-by-default'] : []),
    ...(FORMATTED(tree) ? ['crd-format-enforced'] : []),
  ].sort()
}

describeCorpus('every real package', () => {
  const trees = corpusEntries('corpus').filter(name => name.includes('@'))

  it('is included', () => {
    expect(trees).toEqual(expect.arrayContaining([...WITHOUT_VERSION, ...Object.keys(OWN_WARNINGS)]))
  })

  it.each(trees)('%s renders: its CRDs, one record, and no fields that only a server writes', async tree => {
    const {folder, flags} = realPackage(tree)
    const {status, stdout, stderr} = await runCli('package', 'render', folder, ...flags)
    expect({status, warnings: rulesIn(stderr)}).toEqual({status: 0, warnings: warningsOf(tree)})
    const objects = objectsIn(stdout)
    const count = (kind: string) => objects.filter(object => object.kind === kind).length
    expect({crds: count('CustomResourceDefinition'), records: count('Package')}).toEqual({
      crds: definitionsIn(folder),
      records: 1,
    })
    const members = objects.flatMap(object => [...Object.keys(object), ...Object.keys(object.metadata)])
    expect(members.filter(name => /status|creationTimestamp|finalizers|ownerReferences/.test(name))).toEqual(
      [],
    )
  })

  it.each(trees)('%s without a name: renders or reports the missing values', async tree => {
    const {folder} = realPackage(tree)
    const {status, stderr} = await runCli('package', 'render', folder, '-n', 'team-a', '-o', 'json')
    const refusal = {status, code: status === 0 ? undefined : (JSON.parse(stderr) as {code: string}).code}
    expect(refusal).toEqual(
      WITHOUT_VERSION.has(tree) ? {status: 2, code: 'reference-incomplete'} : {status: 0, code: undefined},
    )
  })
})

/** How many CRDs the files of a package hold. */
function definitionsIn(folder: string): number {
  return registryFilesIn(folder)
    .filter(({path}) => path.endsWith('crd.yaml'))
    .flatMap(
      ({bytes}) =>
        Buffer.from(bytes)
          .toString()
          .match(/^kind: CustomResourceDefinition$/gm) ?? [],
    ).length
}

function rulesIn(stderr: string): string[] {
  // A warning may be followed by a suggestion.
  const lines = stderr.split('\n').filter(line => line !== '' && !line.startsWith('Try: '))
  return lines.map(line => /^Warning: .* \[(.+)\]$/.exec(line)?.[1] ?? line).sort()
}
