import {describe, expect, it} from '@jest/globals'
import {bootstrapWarnings} from '../../../src/plan/git/bootstrapped-home.js'

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
    const warnings = bootstrapWarnings({folder}, [...BOOTSTRAP, WRITTEN, ...others])
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
