import {expect, it} from '@jest/globals'
import {mkdtempSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {loadAll} from 'js-yaml'
import {writableFolder} from '../../../src/adapters/image-output.js'
import {localFile, localFiles} from '../../../src/adapters/local-files.js'
import {localPackage} from '../../../src/adapters/local-package.js'
import {lintXpkg} from '../../../src/author/lint/lint-xpkg.js'
import {translate} from '../../../src/pipeline/author/translate.js'
import {examineXpkg} from '../../../src/xpkg/content/examine-xpkg.js'
import {packageStream} from '../../../src/xpkg/content/package-stream.js'
import {xpkgFolderFiles} from '../../../src/xpkg/image/xpkg-folder.js'
import {asObject, asObjects, asText, type JsonObject} from '../../../src/yaml/json-value.js'
import {CORPUS_ROOT, corpusEntries, describeCorpus} from '../../corpus.js'
import {temporaryFolder} from '../../temporary-folder.js'

const temporary = temporaryFolder()
const packages = corpusEntries('corpus').filter(name => name.includes('@'))
const ports = {sources: {directory: localPackage, files: localFiles, file: localFile}, remote: {}}

async function translatedIn(name: string) {
  const [path = '', tag = ''] = name.split('@')
  const folder = mkdtempSync(join(temporary, `${name}-`))
  const query = {
    reference: join(CORPUS_ROOT, 'corpus', name),
    asPackage: `crossplane/${path}:${tag}`,
    target: `registry.example.org/team/${path}:v1.0.0`,
    namespace: 'crossplane-system',
  }
  const {writtenPaths, notes} = await translate(query, writableFolder(folder), ports)
  const files = await xpkgFolderFiles(await localPackage(join(folder, 'package')))
  const objects = loadAll(readFileSync(join(folder, 'install.yaml'), 'utf8')) as JsonObject[]
  return {writtenPaths, notes, files, objects}
}

const TEMPLATES = ['app-wordpress@v0.1.0', 'app-wordpress@v0.5.0']

describeCorpus('a real package of 2020', () => {
  it('is one of at least twenty', () => {
    expect(packages.length).toBeGreaterThanOrEqual(20)
  })

  it.each(packages)('%s becomes a Provider without an error of lint', async name => {
    const {writtenPaths, files, notes} = await translatedIn(name)
    expect(files.length).toBe(writtenPaths.length - 1)
    expect(lintXpkg({files}).filter(({severity}) => severity === 'error')).toEqual([])
    const built = examineXpkg([{path: 'package.yaml', bytes: packageStream(files)}])
    expect(built.errors).toEqual([])
    expect(built.xpkg).toMatchObject({kind: 'Provider', objects: {length: files.length - 1}})
    expect(notes.some(({rule}) => rule === 'translate-templates')).toBe(TEMPLATES.includes(name))
  })

  it.each(packages)('%s: what installs it names one runtime and one ServiceAccount', async name => {
    const {objects} = await translatedIn(name)
    const kinds = objects.map(({kind}) => asText(kind))
    const request = objects.find(({kind}) => kind === 'Provider')
    const runtime = objects.find(({kind}) => kind === 'DeploymentRuntimeConfig')
    const account = asObject(asObject(asObject(runtime?.spec).serviceAccountTemplate).metadata).name
    expect(asObject(asObject(request?.spec).runtimeConfigRef).name).toBe(asObject(runtime?.metadata).name)
    expect(kinds.at(-1)).toBe('Provider')
    const bindings = objects.filter(({kind}) => asText(kind).endsWith('Binding'))
    expect(bindings).toHaveLength(TEMPLATES.includes(name) ? 0 : 1)
    for (const binding of bindings) {
      const {name: role} = asObject(binding.roleRef)
      expect(asObjects(binding.subjects)).toEqual([
        {kind: 'ServiceAccount', name: account, namespace: 'crossplane-system'},
      ])
      expect(
        objects.some(({kind, metadata}) => kind === 'ClusterRole' && asObject(metadata).name === role),
      ).toBe(true)
    }
  })
})
