import {describe, expect, it} from '@jest/globals'
import {newHomeWarnings} from '../../../src/plan/git/new-home.js'

const BOOTSTRAP = ['clusters/a/flux-system/gotk-components.yaml', 'clusters/a/flux-system/gotk-sync.yaml']
/** The only kustomization.yaml that flux bootstrap writes. */
const WRITTEN = 'clusters/a/flux-system/kustomization.yaml'

describe('a new home in a repository of flux bootstrap', () => {
  it.each([
    {folder: 'clusters/a', others: [], want: 'clusters/a'},
    {folder: 'clusters/a/crossplane', others: ['clusters/a/apps/kustomization.yaml'], want: 'clusters/a'},
    {folder: 'clusters/b', others: [], want: undefined},
    {folder: 'clusters/ab', others: [], want: undefined},
    {folder: 'clusters', others: [], want: undefined},
    {folder: '', others: [], want: undefined},
    // What is listed does not include the home.
    {folder: 'clusters/a/crossplane', others: ['clusters/a/kustomization.yaml'], want: undefined},
    {folder: 'clusters/a/crossplane', others: ['clusters/a/crossplane/Kustomization'], want: undefined},
    {folder: 'clusters/a/crossplane', others: ['clusters/kustomization.yaml'], want: 'clusters/a'},
    {folder: 'crossplane', others: ['flux-system/gotk-sync.yaml'], want: 'the repository'},
    {folder: 'crossplane', others: ['gotk-sync.yaml'], want: 'the repository'},
  ])('in "$folder" beside $others: $want', ({folder, others, want}) => {
    const warnings = newHomeWarnings({folder}, [...BOOTSTRAP, WRITTEN, ...others])
    expect(warnings.map(({rule, message}) => ({rule, message}))).toEqual(
      want === undefined
        ? []
        : [
            {
              rule: 'home-in-bootstrap',
              message: expect.stringContaining(`flux bootstrap applies all files of ${want}, and`) as unknown,
            },
          ],
    )
  })
})

describe('a new home in the root', () => {
  const other = 'crossplane/production/crossplane-packages.yaml'

  it.each([
    {
      folder: '',
      paths: [other],
      want: 'beside crossplane/production: pass --path crossplane/production to',
    },
    {
      folder: '',
      paths: [other, 'b/crossplane-packages.yaml'],
      want: 'beside b, crossplane/production: pass --path crossplane/production to',
    },
    {folder: '', paths: ['README.md', 'docs/my-crossplane-packages.yaml'], want: undefined},
    // With --path, another home is wanted.
    {folder: 'crossplane/staging', paths: [other], want: undefined},
  ])('in "$folder" beside $paths: $want', ({folder, paths, want}) => {
    const [warning, ...more] = newHomeWarnings({folder}, paths)
    expect(more).toEqual([])
    expect(warning?.rule).toBe(want === undefined ? undefined : 'second-home')
    expect(warning?.message ?? '').toContain(want ?? '')
  })
})
