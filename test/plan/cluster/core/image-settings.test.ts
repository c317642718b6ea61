import {describe, expect, it} from '@jest/globals'
import type {KubernetesObject} from '../../../../src/kubernetes/kubernetes-object.js'
import {coreLock} from '../../../../src/plan/cluster/core/read-core-object.js'
import {withImageSettings} from '../../../../src/plan/cluster/core/image-settings.js'
import {
  imageConfigRemovals,
  pinnedReferences,
} from '../../../../src/plan/cluster/core/unused-image-configs.js'
import type {JsonObject} from '../../../../src/yaml/json-value.js'

const DIGEST = `sha256:${'a'.repeat(64)}`
const REPOSITORY = 'h.io/team/app'
const REQUEST = {
  apiVersion: 'pkg.crossplane.io/v1',
  kind: 'Provider',
  metadata: {name: 'team-app'},
  spec: {package: `${REPOSITORY}:v1.0.0`},
}

function imageConfig(name: string, prefixes: readonly string[], spec: JsonObject, manager = 'kubectl') {
  return {
    apiVersion: 'pkg.crossplane.io/v1beta1',
    kind: 'ImageConfig',
    metadata: {name, managedFields: [{manager, operation: 'Apply'}]},
    spec: {matchImages: prefixes.map(prefix => ({type: 'Prefix', prefix})), ...spec},
  }
}

const secret = (name: string): JsonObject => ({registry: {authentication: {pullSecretRef: {name}}}})
const pin = (repository = REPOSITORY, more: JsonObject = {}) =>
  imageConfig(
    'team-app-v1.0.0',
    [`${REPOSITORY}:v1.0.0`, ...(more.registry === undefined ? [] : [`${repository}@${DIGEST}`])],
    {rewriteImage: {prefix: `${repository}@${DIGEST}`}, ...more},
    'crossplane-packages',
  )

function keptIn(
  imageConfigs: readonly KubernetesObject[],
  set: readonly KubernetesObject[] = [pin(), REQUEST],
) {
  const {objects, risks} = withImageSettings(
    set.map(object => ({stage: 0, object})),
    imageConfigs,
  )
  return {
    pin: objects[0]?.object.spec,
    risks: [...risks.values()].flat().map(({message}) => message),
  }
}

const TAGS = imageConfig('tags', [`${REPOSITORY}:v1`], secret('of-tags'))
const GENERAL = imageConfig('general', ['h.io/'], secret('of-all'))
const KEEPING = {pin: pin(REPOSITORY, secret('of-tags')).spec, risks: []}
const PLAIN = {pin: pin().spec, risks: []}

describe('settings of ImageConfigs for pinned packages', () => {
  it.each([
    {name: 'are kept where they are for tags', configs: [TAGS], want: KEEPING},
    {name: 'are kept where a general one would take their place', configs: [GENERAL, TAGS], want: KEEPING},
    {name: 'need nothing where they are for the repository', configs: [GENERAL], want: PLAIN},
    {name: 'need nothing where there are none', configs: [], want: PLAIN},
    {
      name: 'need nothing where they are for another tag',
      configs: [imageConfig('two', [`${REPOSITORY}:v2`], secret('of-two'))],
      want: PLAIN,
    },
    {
      name: 'need nothing where both prefixes lead to the same secret',
      configs: [TAGS, imageConfig('same', ['h.io/'], secret('of-tags'))],
      want: PLAIN,
    },
    {
      name: 'are those of now, not those of an earlier pin',
      configs: [pin(REPOSITORY, secret('earlier')), TAGS],
      want: KEEPING,
    },
    {
      name: 'are gone with the ImageConfig that has them',
      configs: [pin(REPOSITORY, secret('earlier'))],
      want: PLAIN,
    },
  ])('$name', ({configs, want}) => {
    expect(keptIn(configs)).toEqual(want)
  })

  it('are also verification and runtime', () => {
    const more = {verification: {provider: 'Cosign'}, runtime: {configRef: {name: 'large'}}}
    const {pin: spec} = keptIn([imageConfig('tags', [`${REPOSITORY}:`], more)])
    expect(spec).toMatchObject(more)
  })

  it('never follow a package to another registry', () => {
    const moved = keptIn([GENERAL], [pin('mirror.io/app'), REQUEST])
    expect(moved).toEqual({
      pin: pin('mirror.io/app').spec,
      risks: [
        'Crossplane will read mirror.io/app in place of h.io/team/app, and the pull secret of ImageConfig general is not for it',
      ],
    })
    const own = imageConfig('mirror', ['mirror.io/'], secret('of-mirror'))
    expect(keptIn([GENERAL, own], [pin('mirror.io/app'), REQUEST]).risks).toEqual([])
  })

  it('stay with a mirror that the cluster has', () => {
    const mirror = imageConfig('mirror', ['h.io/'], {rewriteImage: {prefix: 'mirror.io/'}})
    const tags = imageConfig('tags', ['mirror.io/team/app:v1'], secret('of-tags'))
    const kept = keptIn([GENERAL, mirror, tags], [pin('mirror.io/team/app'), REQUEST])
    expect(kept).toEqual({pin: pin('mirror.io/team/app', secret('of-tags')).spec, risks: []})
  })

  it('do not keep a pin that nothing uses any more', () => {
    const keeping = pin('mirror.io/app', secret('of-tags'))
    expect(pinnedReferences(keeping)).toEqual([`${REPOSITORY}:v1.0.0`])
    const state = {requests: [], revisions: [], lock: coreLock(undefined)}
    expect(imageConfigRemovals([keeping], new Set([REPOSITORY]), new Set(), state)).toHaveLength(1)
  })
})
