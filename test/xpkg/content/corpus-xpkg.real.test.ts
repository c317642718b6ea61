import {expect, it} from '@jest/globals'
import {readdirSync, readFileSync} from 'node:fs'
import {join, relative} from 'node:path'
import {examineXpkg} from '../../../src/xpkg/content/examine-xpkg.js'
import type {XpkgObject} from '../../../src/xpkg/content/xpkg.js'
import {CORPUS_ROOT, corpusEntries, describeCorpus} from '../../corpus.js'

const packages = corpusEntries('corpus-xpkg').filter(name => name.includes('@'))

/** The files that the real CLI makes the package of; their repositories ignore `auth.yaml` and `kustomize/`, which are for other programs. */
function filesOf(name: string) {
  const folder = join(CORPUS_ROOT, 'corpus-xpkg', name)
  return readdirSync(folder, {recursive: true, encoding: 'utf8'})
    .filter(path => /\.ya?ml$/.test(path) && !/^(examples|kustomize)/.test(path) && path !== 'auth.yaml')
    .map(path => join(folder, path))
    .map(path => ({path: relative(folder, path), bytes: readFileSync(path)}))
}

describeCorpus('real packages for a current Crossplane', () => {
  it('are at least twenty', () => {
    expect(packages.length).toBeGreaterThan(20)
  })

  it.each(packages)('%s is read without an error', name => {
    const {xpkg, errors, problems} = examineXpkg(filesOf(name))
    const kind = /^(provider|function)/.exec(name)?.[0] ?? 'configuration'
    expect({kind: xpkg?.kind.toLowerCase(), errors}).toEqual({kind, errors: []})
    expect(problems.filter(({severity}) => severity === 'error')).toEqual([])
    expect(new Set(problems.map(({rule}) => rule))).toEqual(new Set(EXPECTED.get(kindOf(name)) ?? []))
    expect(xpkg?.objects.every(isComplete)).toBe(true)
  })
})

/** The rules that real packages violate, by the name of the package. */
const EXPECTED: ReadonlyMap<string, readonly string[]> = new Map([
  ['function-go-templating', ['xpkg-function-object']],
  ['function-kcl', ['xpkg-function-object']],
  ['function-patch-and-transform', ['xpkg-function-object']],
  ['provider-gcp', ['xpkg-removed-field']],
])

function kindOf(name: string): string {
  return name.slice(0, name.indexOf('@'))
}

function isComplete({name, defines, role, functions}: XpkgObject): boolean {
  if (role === 'composition') return functions.every(step => step.function !== '')
  return name !== '' && (defines === undefined || (defines.group !== '' && defines.versions.length > 0))
}
