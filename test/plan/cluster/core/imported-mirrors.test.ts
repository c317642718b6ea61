import {describe, expect, it} from '@jest/globals'
import {coreMirrors} from '../../../../src/plan/cluster/core/core-mirrors.js'
import {importedMirrorNotes, importedMirrors} from '../../../../src/plan/cluster/core/imported-mirrors.js'

const APP = 'xpkg.example.org/team/app'
const OTHER = 'xpkg.example.org/others/base'
const MIRROR = 'mirror.example.net'

function mirrorsBy(rewrites: Readonly<Record<string, string>>) {
  const imageConfigs = Object.entries(rewrites).map(([from, to], index) => ({
    apiVersion: 'pkg.crossplane.io/v1beta1',
    kind: 'ImageConfig',
    metadata: {name: `config-${index}`},
    spec: {matchImages: [{prefix: from}], rewriteImage: {prefix: to}},
  }))
  return coreMirrors(imageConfigs, [{repository: APP, reference: `${APP}:v1`}])
}

interface Case {
  readonly name: string
  readonly rewrites: Readonly<Record<string, string>>
  readonly want: unknown
}

describe('the mirrors of an imported declaration', () => {
  it.each<Case>([
    {
      name: 'have a registry as a whole',
      rewrites: {'xpkg.example.org/': `${MIRROR}/hub/`},
      want: {'xpkg.example.org': `${MIRROR}/hub`},
    },
    {
      name: 'have a registry whose prefix does not end with a slash',
      rewrites: {'xpkg.example.org': MIRROR},
      want: {'xpkg.example.org': MIRROR},
    },
    {
      name: 'have a part of a registry',
      rewrites: {'xpkg.example.org/team/': `${MIRROR}/t/`},
      want: {'xpkg.example.org/team': `${MIRROR}/t`},
    },
    {
      name: 'have one repository where a prefix ends within a segment',
      rewrites: {'xpkg.example.org/te': `${MIRROR}/x-te`},
      want: {[APP]: `${MIRROR}/x-team/app`},
    },
    {
      name: 'have one repository whose tag is pinned to a mirror',
      rewrites: {[`${APP}:v1`]: `${MIRROR}/app@sha256:0`},
      want: {[APP]: `${MIRROR}/app`},
    },
    {
      name: 'except a repository that is rewritten to itself',
      rewrites: {'xpkg.example.org/': `${MIRROR}/`, [OTHER]: OTHER},
      want: {'xpkg.example.org': MIRROR, [OTHER]: OTHER},
    },
    {name: 'are none without ImageConfigs', rewrites: {}, want: {}},
  ])('$name', ({rewrites, want}) => {
    expect(importedMirrors([APP, OTHER], mirrorsBy(rewrites))).toEqual(want)
  })

  it('are noted with their ImageConfigs', () => {
    const notes = (rewrites: Readonly<Record<string, string>>) =>
      importedMirrorNotes([APP, OTHER], mirrorsBy(rewrites)).map(({message}) => message)
    expect(notes({'xpkg.example.org/': `${MIRROR}/`})).toEqual([expect.stringContaining('(config-0)')])
    expect(notes({})).toEqual([])
  })
})
