import {describe, expect, it} from '@jest/globals'
import type {JsonObject} from 'kubectl-crossplane/plugin'
import {configured} from '../src/claims/configure.js'

const API = 'disk.example.org/v1alpha1'

/** Configures a managed resource, whose spec is that of its class, for a claim. */
function specOf(claim: JsonObject, spec: JsonObject) {
  const object = (kind: string, content: JsonObject) => ({
    ...{apiVersion: API, kind, metadata: {name: 'db'}},
    spec: content,
  })
  return configured({
    claim: object('DiskClaim', claim),
    class: object('DiskClass', {}),
    managed: object('Disk', spec),
  }).spec
}

describe('a claim', () => {
  it.each([
    'providerRef',
    'providerConfigRef',
    'reclaimPolicy',
    'deletionPolicy',
    'managementPolicy',
    'managementPolicies',
    'claimRef',
    'writeConnectionSecretsToNamespace',
    'publishConnectionDetailsTo',
  ])('cannot set %s of a managed resource without forProvider', field => {
    expect(() => specOf({size: 1, [field]: 'own'}, {})).toThrow(
      `claim value of ${field} is not allowed: set it in the class`,
    )
    expect(() => specOf({[field]: 'own'}, {[field]: 'other'})).toThrow('does not match class value [other]')
    expect(specOf({size: 1}, {[field]: 'other'})).toEqual({size: 1, [field]: 'other'})
  })

  it('has fields of these names as parameters of a managed resource with forProvider', () => {
    const spec = {providerRef: {name: 'main'}, forProvider: {zone: 'a'}}
    const forProvider = {zone: 'a', providerRef: 'x', size: 1}
    expect(specOf({providerRef: 'x', size: 1}, spec)).toEqual({...spec, forProvider})
  })
})
