import {join} from 'node:path'
import {describe, expect} from '@jest/globals'
import fc from 'fast-check'
import {lintPackage} from '../../src/author/lint/lint-package.js'
import {lintRule} from '../../src/author/lint/lint-rules.js'
import {CrossplaneError} from '../../src/errors.js'
import {inspect} from '../../src/pipeline/inspect/inspect.js'
import {renderPackage} from '../../src/package/stack/render-package.js'
import {ERAS} from '../../src/render/era.js'
import {registryFilesIn} from '../corpus.js'
import {editedPackage, randomTree} from '../unpack/files/random-trees.js'
import {below, campaign} from './campaign.js'
import {packagePorts} from './package-ports.js'

const sound = ['full-observatory', 'cli-database', 'inspect-wide'].map(name =>
  registryFilesIn(join(import.meta.dirname, '../testdata/packages', name, '.registry')),
)
const packages = fc.oneof(
  {weight: 1, arbitrary: randomTree},
  ...sound.map(files => ({weight: 3, arbitrary: editedPackage(files)})),
)

describe('mutated packages', () => {
  campaign('are linted, inspected and rendered, or rejected with a code', {short: 150}, async ({random}) => {
    const [files = []] = fc.sample(packages, {numRuns: 1, seed: below(random, 2 ** 31)})
    expect(lintPackage({files}).filter(({rule}) => lintRule(rule) === undefined)).toEqual([])
    await codeOf(
      inspect({api: 'packages', reference: './pkg', asPackage: IMAGE, parameters}, packagePorts(files)),
    )
    for (const nonStructural of ['refuse', 'preserve'] as const) {
      const crds = {apiVersion: 'v1', nonStructural} as const
      await codeOf(
        renderPackage(
          {reference: './pkg', asPackage: IMAGE, parameters},
          {...choices, crds},
          packagePorts(files),
        ),
      )
    }
  })
})

const IMAGE = 'example/pkg:v0.1.0'

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
  includeRequest: false,
  allowCorePermissions: false,
  allowFullDeployment: false,
} as const

/** The code with which something was rejected. An error without a code is a bug and fails the round. */
async function codeOf(outcome: Promise<unknown>): Promise<string | undefined> {
  try {
    await outcome
    return undefined
  } catch (error) {
    if (error instanceof CrossplaneError) return error.code
    throw error
  }
}
