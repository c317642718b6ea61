import {describe, expect, it} from '@jest/globals'
import fc from 'fast-check'
import {join} from 'node:path'
import {lintPackage} from '../../../src/author/lint/lint-package.js'
import {lintRule} from '../../../src/author/lint/lint-rules.js'
import {CrossplaneError} from '../../../src/errors.js'
import {renderPackage} from '../../../src/package/stack/render-package.js'
import {ERAS} from '../../../src/render/era.js'
import {examinePackage} from '../../../src/unpack/read-package.js'
import type {PackageFile} from '../../../src/unpack/package-file.js'
import {registryFilesIn} from '../../corpus.js'
import {memoryDirectory} from '../../unpack/files/memory-directory.js'
import {anyOrder, editedPackage, randomTree} from '../../unpack/files/random-trees.js'

const RUNS = {numRuns: 150}
const observatory = registryFilesIn(
  join(import.meta.dirname, '../../testdata/packages/full-observatory/.registry'),
)
const database = registryFilesIn(join(import.meta.dirname, '../../testdata/packages/cli-database/.registry'))

/** Errors that the package's format calls so, although rendering goes on. */
const RENDERED_ALL_THE_SAME = ['app-documents', 'duplicate-key', 'field-case', 'icon-type', 'install-refused']

/** Why a package cannot be rendered; undefined if it can. */
async function refusal(files: readonly PackageFile[]): Promise<string | undefined> {
  const directory = memoryDirectory(
    Object.fromEntries(
      files.map(({path, bytes}) => [`.registry/${path}`, Buffer.from(bytes).toString('utf8')]),
    ),
  )
  const never = () => Promise.reject(new Error('only a directory is read'))
  const sources = {directory: () => Promise.resolve(directory), files: never, file: never}
  const parameters = {
    namespace: 'team-a',
    systemNamespace: 'crossplane-system',
    imagePullSecrets: [],
    serviceAccountAnnotations: {},
    pin: true,
  }
  const choices = {
    era: ERAS.packages,
    base: false,
    pin: true,
    createNamespace: false,
    crds: {apiVersion: 'v1', nonStructural: 'refuse'},
    includeRequest: false,
    allowCorePermissions: false,
    allowFullDeployment: false,
  } as const
  try {
    await renderPackage({reference: './pkg', asPackage: 'example/pkg:v0.1.0', parameters}, choices, {
      sources,
      remote: {},
    })
    return undefined
  } catch (error) {
    if (error instanceof CrossplaneError) return error.code
    throw error
  }
}

/** Whether lint finds what keeps a package from being rendered. */
function foundUnusable(files: readonly PackageFile[]): boolean {
  const errors = lintPackage({files}).filter(({severity}) => severity === 'error')
  return errors.some(({rule}) => !RENDERED_ALL_THE_SAME.includes(rule))
}

describe.each([
  {name: 'files at random', files: randomTree},
  {name: 'a package with some of its lines changed', files: editedPackage(observatory)},
])('$name', ({files}) => {
  it('are linted completely, with diagnostics of known rules only', () => {
    fc.assert(
      fc.property(files, tree => {
        expect(lintPackage({files: tree}).filter(({rule}) => lintRule(rule) === undefined)).toEqual([])
      }),
      RUNS,
    )
  })

  it('have all diagnostics of reading among those of lint, as errors', () => {
    fc.assert(
      fc.property(files, tree => {
        const {errors} = examinePackage(tree)
        const found = lintPackage({files: tree}).filter(({severity}) => severity === 'error')
        const said = new Set(found.map(({rule, message, line}) => JSON.stringify([rule, message, line])))
        expect(
          errors.filter(({rule, message, line}) => !said.has(JSON.stringify([rule, message, line]))),
        ).toEqual([])
      }),
      RUNS,
    )
  })

  it('have the same diagnostics in any order', () => {
    const ordered = files.chain(tree => fc.tuple(fc.constant(tree), anyOrder(tree)))
    fc.assert(
      fc.property(ordered, ([tree, shuffled]) => {
        expect(lintPackage({files: shuffled})).toStrictEqual(lintPackage({files: tree}))
      }),
      RUNS,
    )
  })
})

describe('a valid package with some of its lines changed', () => {
  it('has errors exactly if it can no longer be rendered', async () => {
    await fc.assert(
      fc.asyncProperty(editedPackage(database), async files => {
        const refused = await refusal(files)
        expect({refused, unusable: foundUnusable(files)}).toEqual({refused, unusable: refused !== undefined})
      }),
      {numRuns: 400},
    )
  })

  it('is often valid and often invalid', async () => {
    const samples = fc.sample(editedPackage(database), {numRuns: 100, seed: 7})
    const refusals = (await Promise.all(samples.map(refusal))).filter(each => each !== undefined).length
    expect({some: refusals > 10, others: refusals < 90}).toEqual({some: true, others: true})
  })
})
