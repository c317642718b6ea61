import {join} from 'node:path'
import {afterAll, expect, it} from '@jest/globals'
import {CrossplaneError} from '../../src/errors.js'
import {installedCrd} from '../../src/render/crds.js'
import type {EraName} from '../../src/reference/era-name.js'
import {ERAS} from '../../src/render/era.js'
import {packageRecords} from '../../src/render/package-record.js'
import {readPackage} from '../../src/unpack/read-package.js'
import {asText, type JsonObject, type JsonValue} from '../../src/yaml/json-value.js'
import {CORPUS_ROOT, corpusEntries, describeCorpus, registryFilesIn} from '../corpus.js'
import {byIdentity, recording} from './recording.js'
import {editedDocument, Rules, withEraController} from './rules.js'

const rules = new Rules()

afterAll(() => {
  process.stderr.write(`Rules used against the original's unpack: ${JSON.stringify(rules.counts, null, 2)}\n`)
})

/** Ours, in the form of the original's `package unpack`: CRDs without claims, then the nameless record. */
function unpack(eraName: EraName, folder: string, tag: string): JsonObject[] {
  const era = ERAS[eraName]
  const read = readPackage(folder, registryFilesIn(folder))
  const request = {
    namespace: 'ns',
    name: 'name',
    scope: read.permissionScope,
    imagePullSecrets: [],
    serviceAccountAnnotations: {},
  }
  const [record = {}] = packageRecords(era, {request, package: read, version: read.version ?? tag, image: ''})
  return [...read.crds.map(crd => installedCrd(era, read, crd)), withoutRequest(record)]
}

/** Name, labels and a template controller's environment come from the request, which the original had not seen here. */
function withoutRequest(record: JsonObject): JsonObject {
  const containers = ['spec', 'controller', 'deployment', 'spec', 'template', 'spec', 'containers', '*']
  const nameless = {...record, metadata: {}}
  if (record.kind !== 'StackDefinition') return nameless
  return editedDocument(nameless, [...containers, 'env'], () => undefined)
}

/** Rules that say how one answer of the original's would read. */
function ruled(era: EraName, answer: readonly JsonObject[], name: string): JsonObject[] {
  const scoped = rules.apply('an empty CRD scope is written as Namespaced', answer, document =>
    editedDocument(document, ['spec', 'scope'], scope => (scope === '' ? 'Namespaced' : scope)),
  )
  const versioned = rules.apply(
    'a record names the storage version of a CRD without spec.version',
    scoped,
    document =>
      editedDocument(document, ['spec', 'customresourcedefinitions', '*', 'apiVersion'], version =>
        asText(version).endsWith('/') ? `${asText(version)}${STORAGE_VERSIONS[name] ?? ''}` : version,
      ),
  )
  const runnable = rules.apply(
    'the default controller of template stacks is that of the era',
    versioned,
    document => withEraController(ERAS[era], document),
  )
  const change = PROBE_RULES[name]
  return change === undefined ? runnable : change(runnable)
}

const STORAGE_VERSIONS: Readonly<Record<string, string>> = {
  'crd-v1': 'v1',
  'app-wordpress@de238a6': 'v1alpha1',
}

function withoutAnnotations(prefix: string): (document: JsonObject) => JsonObject {
  return document =>
    editedDocument(document, ['metadata', 'annotations'], annotations =>
      Object.fromEntries(
        Object.entries(annotations as JsonObject).filter(
          ([key]) => !key.startsWith(`packages.crossplane.io/${prefix}`),
        ),
      ),
    )
}

/** Rules that only one probe asks about. */
const PROBE_RULES: Readonly<Record<string, (answer: readonly JsonObject[]) => JsonObject[]>> = {
  'crd-v1': answer =>
    rules.apply('a subresource counts if any served version has it', answer, document =>
      editedDocument(document, ['spec', 'permissions', 'rules', 1, 'resources'], () => [
        'mytypes',
        'mytypes/status',
        'mytypes/finalizers',
      ]),
    ),
  'group-prefix-trap': answer =>
    rules.apply('"at or above" is by whole path segments', answer, withoutAnnotations('group-')),
  'icon-prefix-trap': answer =>
    rules.apply('"at or above" is by whole path segments', answer, withoutAnnotations('icon-')),
  'crd-empty': answer =>
    rules.apply(
      'an empty CRD file is ignored',
      answer.filter(({kind}) => kind !== undefined),
      document =>
        editedDocument(
          editedDocument(document, ['spec', 'customresourcedefinitions'], list =>
            (list as JsonValue[]).slice(1),
          ),
          ['spec', 'permissions', 'rules'],
          list => (list as JsonValue[]).filter((_, index) => index !== 2),
        ),
    ),
}

/** What the original took and ours refuses, by the rule id of the fault. */
const REFUSED: Readonly<Record<string, string>> = {
  'app-two-files': 'app-duplicate',
  'behavior-and-install': 'behavior-and-install',
  'crd-other-kind': 'crd-kind',
  'crd-same-twice': 'crd-duplicate',
  'depends-both': 'depends-on',
  'install-helm': 'install-containers',
  'install-job': 'install-kind',
}

/** What the original refused and ours takes. */
const TAKEN: Readonly<Record<string, string>> = {
  'sample-stack@652b400': 'a package without permissionScope is Namespaced',
  'sample-stack@71390ce': 'a package without permissionScope is Namespaced',
}

function faultRules(folder: string): readonly string[] {
  try {
    readPackage(folder, registryFilesIn(folder))
    return []
  } catch (error) {
    if (!(error instanceof CrossplaneError)) throw error
    return error.diagnostics.map(fault => fault.rule)
  }
}

interface Recorded {
  readonly title: string
  readonly era: EraName
  readonly answers: readonly string[]
  readonly packages: readonly string[]
  /** The tag that the original was told the image had. */
  readonly tag?: string
}

const RECORDED: readonly Recorded[] = [
  {title: 'v0.12 unpacked', era: 'packages', answers: ['reference', 'v0.12', 'unpack'], packages: ['corpus']},
  {title: 'v0.10 unpacked', era: 'stacks', answers: ['reference', 'v0.10', 'unpack'], packages: ['corpus']},
  {
    title: 'v0.12 answered to the probes',
    era: 'packages',
    answers: ['reference', 'v0.12', 'probes'],
    packages: ['reference', 'v0.12', 'probes'],
    tag: 'v1',
  },
]

for (const {title, era, answers, packages, tag} of RECORDED) {
  describeCorpus(`the output for ${title}`, () => {
    const folderOf = (name: string) => join(CORPUS_ROOT, ...packages, name, '.registry')
    const named = (ending: string) =>
      corpusEntries(...answers)
        .filter(file => file.endsWith(ending))
        .map(file => file.slice(0, -ending.length))

    it.each(named('.yaml').filter(name => REFUSED[name] === undefined))('%s is the same', name => {
      const ours = unpack(era, folderOf(name), tag ?? name.slice(name.indexOf('@') + 1))
      const theirs = ruled(era, recording(...answers, `${name}.yaml`), name)
      expect(byIdentity(ours)).toEqual(byIdentity(theirs))
    })

    it.each([...named('.yaml').filter(name => REFUSED[name] !== undefined), 'none'])(
      '%s is rejected',
      name => {
        if (name === 'none') return
        rules.count(`refused: ${REFUSED[name] ?? ''}`)
        expect(faultRules(folderOf(name))).toContain(REFUSED[name])
      },
    )

    it.each([...named('.error'), 'none'])('%s was rejected', name => {
      if (name === 'none') return
      const taken = TAKEN[name]
      if (taken !== undefined) rules.count(taken)
      expect(faultRules(folderOf(name)).length > 0).toBe(taken === undefined)
    })
  })
}
