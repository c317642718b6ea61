import {describe, expect, it} from '@jest/globals'
import {importedImageFindings} from '../../../../src/plan/cluster/core/imported-image-settings.js'
import type {KubernetesObject} from '../../../../src/kubernetes/kubernetes-object.js'
import type {JsonObject} from '../../../../src/yaml/json-value.js'

const APP = 'xpkg.example.org/team/app'
const MIRROR = 'mirror.example.net/app'
const DIGEST = `sha256:${'a'.repeat(64)}`
const SECRET = {registry: {authentication: {pullSecretRef: {name: 'of-team'}}}}
const COSIGN = {verification: {provider: 'Cosign'}}

interface Case {
  readonly name: string
  readonly imageConfigs: readonly JsonObject[]
  /** A tag by default. */
  readonly version?: string
  readonly want: readonly string[]
}

function imageConfig(name: string, prefix: string, spec: JsonObject, manager = 'other') {
  return {
    apiVersion: 'pkg.crossplane.io/v1beta1',
    kind: 'ImageConfig',
    metadata: {name, managedFields: [{manager, operation: 'Apply'}]},
    spec: {matchImages: [{type: 'Prefix', prefix}], ...spec},
  }
}

function rewrite(prefix: string): JsonObject {
  return {rewriteImage: {prefix}}
}

describe('what ImageConfigs say and an imported declaration does not', () => {
  it.each<Case>([
    {
      name: 'a pull secret for tags is lost',
      imageConfigs: [imageConfig('of-team', `${APP}:v1`, SECRET)],
      want: [`import-image-setting pull secret of-team ${APP}@${DIGEST}`],
    },
    {
      name: 'a pull secret that only a pin of this program has is lost',
      imageConfigs: [
        imageConfig(
          'pin',
          `${APP}:v1.0.0`,
          {...rewrite(`${APP}@${DIGEST}`), ...SECRET},
          'crossplane-packages',
        ),
      ].map(one => ({
        ...one,
        spec: {
          ...one.spec,
          matchImages: [...one.spec.matchImages, {type: 'Prefix', prefix: `${APP}@${DIGEST}`}],
        },
      })),
      want: [`import-image-setting pull secret pin ${APP}@${DIGEST}`],
    },
    {
      name: 'a verification for the tags of a mirror is lost',
      imageConfigs: [
        imageConfig('mirror', `${APP}:`, rewrite(`${MIRROR}:`)),
        imageConfig('of-team', `${MIRROR}:v1`, COSIGN),
      ],
      want: [`import-image-setting verification of signatures of-team ${MIRROR}@${DIGEST}`],
    },
    {
      name: 'a setting without a tag stays',
      imageConfigs: [
        imageConfig('of-team', 'xpkg.example.org/', SECRET),
        imageConfig('also', APP, {runtime: {configRef: {name: 'large'}}}),
      ],
      want: [],
    },
    {
      name: 'a setting that another ImageConfig has, too, stays',
      imageConfigs: [imageConfig('a', `${APP}:v1`, SECRET), imageConfig('b', APP, SECRET)],
      want: [],
    },
    {
      name: 'a setting for another tag, or for a package that is requested by its digest, is none',
      version: `@${DIGEST}`,
      imageConfigs: [imageConfig('of-team', `${APP}:v1`, SECRET)],
      want: [],
    },
    {
      name: 'another tag that is read in place of the requested one is lost',
      imageConfigs: [imageConfig('fixed', `${APP}:v1.0.0`, rewrite(`${APP}:v1.0.1`))],
      want: [`import-rewrite fixed ${APP}:v1.0.1`],
    },
    {
      name: 'another digest than that in the lock is lost',
      imageConfigs: [imageConfig('fixed', `${APP}:v1.0.0`, rewrite(`${APP}@sha256:0`))],
      want: [`import-rewrite fixed ${APP}@sha256:0`],
    },
    {
      name: 'a pin of another program to the locked digest is held',
      imageConfigs: [imageConfig('pin', `${APP}:v1.0.0`, rewrite(`${MIRROR}@${DIGEST}`))],
      want: [],
    },
  ])('$name', ({imageConfigs, version = ':v1.0.0', want}) => {
    const tag = version.startsWith(':') ? {tag: version.slice(1)} : {}
    const request = {repository: APP, reference: `${APP}${version}`, ...tag}
    const findings = importedImageFindings([request], imageConfigs as readonly KubernetesObject[], [
      {repository: APP, digest: DIGEST},
    ])
    expect(findings).toHaveLength(want.length)
    for (const [index, words] of want.entries()) {
      const {rule, message, suggestions} = findings[index]!
      const [expected, ...rest] = words.split(' ')
      expect(rule).toBe(expected)
      for (const word of rest) expect(message).toContain(word)
      expect(suggestions?.[0]).toContain('kubectl get imageconfig')
    }
  })
})
