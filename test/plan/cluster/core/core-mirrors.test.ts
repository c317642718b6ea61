import {describe, expect, it} from '@jest/globals'
import {coreMirrors} from '../../../../src/plan/cluster/core/core-mirrors.js'
import {CONTENT_MANAGER} from '../../../../src/cluster/claims.js'

const HOST = 'registry.example.org'

interface Config {
  readonly from: readonly string[]
  readonly to?: string
  readonly isOurs?: boolean
}

function imageConfig(name: string, {from, to, isOurs = false}: Config) {
  const managedFields = isOurs ? [{manager: CONTENT_MANAGER, operation: 'Apply'}] : []
  const rewrite: Record<string, {prefix: string}> = to === undefined ? {} : {rewriteImage: {prefix: to}}
  return {
    apiVersion: 'pkg.crossplane.io/v1beta1',
    kind: 'ImageConfig',
    metadata: {name, managedFields},
    spec: {matchImages: from.map(prefix => ({prefix})), ...rewrite},
  }
}

const CASES: readonly {
  readonly name: string
  readonly reason: string
  readonly in: {readonly configs: Readonly<Record<string, Config>>; readonly installed?: string}
  readonly want: unknown
}[] = [
  {
    name: 'the longest prefix',
    reason: 'one ImageConfig applies to a reference (k23)',
    in: {
      configs: {a: {from: ['registry.'], to: 'nowhere/'}, b: {from: [HOST], to: 'mirror.example.net/hub'}},
    },
    want: {repository: 'mirror.example.net/hub/team/app', imageConfig: 'b'},
  },
  {
    name: 'a prefix that ends within a segment',
    reason: 'Crossplane compares plain texts',
    in: {configs: {a: {from: [`${HOST}/te`], to: 'mirror.example.net/x'}}},
    want: {repository: 'mirror.example.net/xam/app', imageConfig: 'a'},
  },
  {
    name: 'one of several prefixes',
    reason: 'the one that matches is replaced',
    in: {configs: {a: {from: ['other.example.org/', `${HOST}/`], to: 'mirror.example.net/'}}},
    want: {repository: 'mirror.example.net/team/app', imageConfig: 'a'},
  },
  {
    name: 'no rewrite',
    reason: 'an ImageConfig can be for pull secrets only (k24)',
    in: {configs: {a: {from: [HOST]}}},
    want: undefined,
  },
  {
    name: 'the same repository',
    reason: 'a pin of the tag is no mirror (n01)',
    in: {
      configs: {a: {from: [`${HOST}/team/app:v1`], to: `${HOST}/team/app@sha256:0`}},
      installed: `${HOST}/team/app:v1`,
    },
    want: undefined,
  },
  {
    name: 'the tag of an installed package, pinned to a mirror',
    reason: 'its content is there (n17)',
    in: {
      configs: {a: {from: [`${HOST}/team/app:v1`], to: 'mirror.example.net/app@sha256:0'}},
      installed: `${HOST}/team/app:v1`,
    },
    want: {repository: 'mirror.example.net/app', imageConfig: 'a'},
  },
  {
    name: 'the tag of an installed package, pinned to a mirror by this program',
    reason: 'a pin follows the mirrors that there were',
    in: {
      configs: {
        a: {from: [`${HOST}/team/app:v1`], to: 'mirror.example.net/app@sha256:0', isOurs: true},
      },
      installed: `${HOST}/team/app:v1`,
    },
    want: undefined,
  },
  {
    name: 'the tag of no installed package',
    reason: 'other tags are not in that mirror',
    in: {
      configs: {a: {from: [`${HOST}/team/app:v1`], to: 'mirror.example.net/app@sha256:0'}},
      installed: `${HOST}/team/app:v2`,
    },
    want: undefined,
  },
  {
    name: 'no prefix',
    reason: 'it would match everything',
    in: {configs: {a: {from: [''], to: 'mirror.example.net/'}}},
    want: undefined,
  },
]

describe('the mirrors of a cluster', () => {
  it.each(CASES)('$name', ({in: {configs, installed}, want}) => {
    const objects = Object.entries(configs).map(([name, config]) => imageConfig(name, config))
    const requests = installed === undefined ? [] : [{repository: `${HOST}/team/app`, reference: installed}]
    const mirror = coreMirrors(objects, requests)(`${HOST}/team/app`)
    expect(mirror && {repository: mirror.repository, imageConfig: mirror.imageConfig}).toEqual(want)
  })
})
