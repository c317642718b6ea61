import {expect, it} from '@jest/globals'
import {coreRequest} from '../../../../src/plan/cluster/core/read-core-object.js'
import {REQUESTED_AS, requestedAs} from '../../../../src/plan/cluster/core/requested-as.js'

const PACKAGE = {'f:spec': {'f:package': {}}}
const OTHERS = {'f:metadata': {'f:annotations': {}}}
const DIGEST = `sha256:${'0'.repeat(64)}`

/** A request that this program adopted, after which another manager may have set the package. */
function adopted(as: string, reference: string, [own, ...others]: readonly (readonly [string, object])[]) {
  const managedFields = [own, ...others].map(([manager, fieldsV1] = ['', {}]) => ({
    ...{manager, operation: 'Apply'},
    fieldsV1,
  }))
  return coreRequest('Provider', {
    apiVersion: 'pkg.crossplane.io/v1',
    kind: 'Provider',
    metadata: {name: 'sql', annotations: {[REQUESTED_AS]: as}, managedFields: managedFields as never},
    spec: {package: `h.io/sql${reference}`},
  })
}

const OURS = ['crossplane-packages', PACKAGE] as const
const LEFT = ['crossplane-packages', OTHERS] as const
const ARGO = ['argocd-controller', PACKAGE] as const

it.each([
  {name: 'what this program set', as: 'v1.0.0', at: ':v1.0.0', by: [OURS], want: 'v1.0.0'},
  {name: 'a tag that a commit replaced', as: 'v1.0.0', at: ':v1.1.0', by: [LEFT, ARGO], want: 'v1.1.0'},
  {name: 'a digest that a commit replaced', as: DIGEST, at: ':v1.1.0', by: [LEFT, ARGO], want: 'v1.1.0'},
  {
    name: 'a tag in place of which a commit has a digest',
    as: 'v1.0.0',
    at: `@${DIGEST}`,
    by: [LEFT, ARGO],
    want: DIGEST,
  },
  {name: 'a tag that both set', as: 'v1.0.0', at: ':v1.0.0', by: [OURS, ARGO], want: 'v1.0.0'},
  {name: 'a constraint', as: '>=v1.0.0', at: ':v1.1.0', by: [LEFT, ARGO], want: '>=v1.0.0'},
  {name: 'any version', as: '', at: ':v1.1.0', by: [LEFT, ARGO], want: ''},
  {
    name: 'a version that Crossplane selects',
    as: 'v1.0.0',
    at: ':v1.1.0',
    by: [LEFT, ['crossplane', PACKAGE] as const],
    want: 'v1.0.0',
  },
])(
  'the request is read from its annotation, or from the package that another manager has set: $name',
  ({as, at, by, want}) => {
    expect(requestedAs(adopted(as, at, by))).toBe(want)
  },
)
