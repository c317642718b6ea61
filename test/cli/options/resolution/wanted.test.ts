import {describe, expect, it} from '@jest/globals'
import {join} from 'node:path'
import {askedFreely} from '../../../../src/cli/options/resolution/wanted.js'
import {temporaryFolder, writeTree} from '../../../temporary-folder.js'

const folder = temporaryFolder()
const FLAGS = {'crossplane-version': 'v0.12', 'allow-version-mismatch': false, 'solve-timeout': '30s'}
const DECLARATION = `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: PackageDeclaration
registries: {docker.io: mirror.example.org/hub}
indexes: [r.example.org/index, ./a.json, ../b.json, /c.json]
packages: [{package: example/app}]
`

describe('where a declaration says that packages come from', () => {
  const root = writeTree(folder, {'team/wanted.yaml': DECLARATION})

  it('mirrors and indexes, whose files are beside it', async () => {
    const {sources} = await askedFreely({}, {...FLAGS, declaration: join(root, 'team/wanted.yaml')})
    expect(sources).toEqual({
      registries: {'docker.io': 'mirror.example.org/hub'},
      indexes: ['r.example.org/index', join(root, 'team/a.json'), join(root, 'b.json'), '/c.json'],
    })
  })

  it('files stay files where the declaration is named from here', async () => {
    const before = process.cwd()
    process.chdir(root)
    try {
      const {sources} = await askedFreely({}, {...FLAGS, declaration: 'team/wanted.yaml'})
      expect(sources?.indexes).toEqual(['r.example.org/index', './team/a.json', './b.json', '/c.json'])
    } finally {
      process.chdir(before)
    }
  })

  it('nothing without a declaration', async () => {
    expect((await askedFreely({ref: 'example/app'}, FLAGS)).sources).toBeUndefined()
  })
})
