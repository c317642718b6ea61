import {expect, it} from '@jest/globals'
import {load} from 'js-yaml'
import {requestNames} from '../../../src/xpkg/package-name.js'
import {renderXpkgs} from '../../../src/render/xpkg/render-xpkgs.js'
import type {ClosurePackage} from '../../../src/render/xpkg/closure.js'
import type {XpkgPin} from '../../../src/xpkg/pins.js'
import {asObject, asObjects, asText, isJsonArray, type JsonValue} from '../../../src/yaml/json-value.js'
import {derivedName} from '../../../src/xpkg/package-name.js'
import {corpusEntries, corpusText, describeCorpus} from '../../corpus.js'
import {recordedContents} from '../../resolve/xpkg/recorded-world.js'

const FOLDERS = ['xpkg', 'xpkg-v2.3'] as const

const documentOf = (folder: string, name: string, file: string) =>
  asObject(load(corpusText('reference', folder, name, file)) as JsonValue)

/** What a case applies: requests as `KIND NAME PACKAGE` and objects. */
function appliedIn(folder: string, name: string): readonly JsonValue[] {
  const steps = asObjects(documentOf(folder, name, 'in.yaml').steps)
  return steps.flatMap(({apply}): readonly JsonValue[] => (isJsonArray(apply) ? apply : []))
}

/** The requests that the core created in a case. */
function createdIn(folder: string, name: string) {
  const applied = new Set(
    appliedIn(folder, name).map(value => {
      if (typeof value === 'string') return value.split(' ').slice(0, 2).join(' ')
      return `${asText(asObject(value).kind)} ${asText(asObject(asObject(value).metadata).name)}`
    }),
  )
  const steps = asObjects(documentOf(folder, name, 'want.yaml').afterEachStep)
  return steps
    .flatMap(step => asObjects(step.packages))
    .filter(({kind, name: created}) => !applied.has(`${asText(kind)} ${asText(created)}`))
}

const named = FOLDERS.flatMap(folder =>
  corpusEntries('reference', folder)
    .filter(
      name => /^[sknger]\d/.test(name) && corpusEntries('reference', folder, name).includes('want.yaml'),
    )
    .flatMap(name => createdIn(folder, name).map(created => ({folder, case: name, created}))),
)

/** The recorded sets of the three kinds. */
const SETS: readonly {
  readonly folder: string
  readonly case: string
  readonly pin: XpkgPin
}[] = [
  {folder: 'xpkg', case: 'g01-all-skip-by-digest', pin: 'digest'},
  {folder: 'xpkg', case: 'g10-derived-names-all-at-once-tags', pin: 'tag'},
  {folder: 'xpkg-v2.3', case: 'n01-image-configs-pin-digests', pin: 'config'},
]

/** A rendered object in the form of a case. */
function shortForm(object: JsonValue): string {
  const {kind, metadata, spec} = asObject(object)
  if (kind === 'ImageConfig') {
    const {matchImages, rewriteImage} = asObject(spec)
    const [prefix] = asObjects(matchImages).map(match => asText(match.prefix))
    return `ImageConfig ${prefix ?? ''} ${asText(asObject(rewriteImage).prefix)}`
  }
  const {package: reference, skipDependencyResolution} = asObject(spec)
  const skip = skipDependencyResolution === true ? ' skipDependencyResolution=true' : ''
  return `${asText(kind)} ${asText(asObject(metadata).name)} ${asText(reference)}${skip}`
}

/** The packages that a case applies, with the dependencies of its registry. */
function closureOf(folder: string, name: string): readonly ClosurePackage[] {
  const contents = recordedContents(documentOf(folder, name, 'in.yaml'))
  return appliedIn(folder, name)
    .filter(value => typeof value === 'string')
    .flatMap(text => {
      const reference = text.split(' ')[2] ?? ''
      const [, repository = '', version = ''] =
        /^(.+?)[:@](?:\{digest:.+:)?([^:}]+)\}?$/.exec(reference) ?? []
      const content = contents.get(repository)?.get(version)
      return content === undefined
        ? []
        : [{repository, version, ...content, digest: `{digest:${repository}:${version}}`}]
    })
}

describeCorpus('the recorded sets of the core', () => {
  it('have requests that the core created', () => {
    expect(named.length).toBeGreaterThan(50)
  })

  it.each(named)('$case in $folder: the name of a dependency', ({created}) => {
    const [repository = ''] = asText(created.package).split(/:(?!.*\/)|@/)
    expect({name: derivedName(repository)}).toEqual({name: created.name})
  })

  it.each(SETS)('$case is rendered as it was applied', ({folder, case: name, pin}) => {
    const packages = closureOf(folder, name)
    const settings = {pin, coreVersion: folder === 'xpkg' ? 'v2.1.0' : 'v2.3.4'}
    const {objects} = renderXpkgs({roots: [], packages, names: requestNames(packages)}, settings, [])
    const applied = appliedIn(folder, name).map(value =>
      typeof value === 'string' ? value : shortForm(value),
    )
    expect(objects.map(({object}) => shortForm(object)).sort()).toEqual(applied.sort())
  })
})
