import {describe, expect, it} from '@jest/globals'
import {surfaceOfXpkg} from '../../../src/package/xpkg/surface.js'
import {readObjects} from '../../../src/usage/objects/read-objects.js'
import {validateObjects} from '../../../src/usage/validation/validate-objects.js'

const xrd = (kind: string, {group = 'town.example', more = '', apiVersion = 'v1'} = {}) =>
  `apiVersion: apiextensions.crossplane.io/${apiVersion}
kind: CompositeResourceDefinition
metadata: {name: ${kind.toLowerCase()}s.${group}}
spec:
  group: ${group}
  names: {kind: ${kind}, plural: ${kind.toLowerCase()}s}
  ${more}
  versions:
  - name: v1
    served: true
    referenceable: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {}}}}}
---
`
const composition = (name: string, kind: string, {group = 'town.example', as = 'Composition'} = {}) =>
  `apiVersion: apiextensions.crossplane.io/v1
kind: ${as}
metadata: {name: ${name}}
spec:
  compositeTypeRef: {apiVersion: ${group}/v1, kind: ${kind}}
  ${as === 'Composition' ? '' : 'revision: 1'}
  mode: Pipeline
  pipeline: [{step: a, functionRef: {name: f}}]
---
`
const object = (kind: string, spec: string) =>
  `apiVersion: town.example/v1\nkind: ${kind}\nmetadata: {name: one, namespace: a}\nspec: ${spec}\n---\n`

const CLAIMS = 'claimNames: {kind: Shop, plural: shops}'
const SHOP = xrd('XShop', {more: CLAIMS})
const MODERN = xrd('Shop', {apiVersion: 'v2', more: 'scope: Namespaced'})
const MISMATCH = 'Composition lots is for XLot.town.example, not for XShop.town.example'
const LOTS = composition('lots', 'XLot')

function findingsOf(text: string, inPackage = '') {
  const bytes = Buffer.from(text)
  const meta = 'apiVersion: meta.pkg.crossplane.io/v1\nkind: Configuration\nmetadata: {name: town}\n'
  const files = [meta, ...inPackage.split('---\n').filter(part => part !== '')].map((part, at) => ({
    path: at === 0 ? 'crossplane.yaml' : `${at}.yaml`,
    bytes: Buffer.from(part),
  }))
  const packages = [{package: 'town', version: 'v1', surface: surfaceOfXpkg({name: 'town', files})}]
  const {findings} = validateObjects(packages, readObjects([{path: 'a.yaml', bytes}]), {
    ...{allowUnknown: [], match: () => undefined, coreVersion: 'v2.3.4'},
  })
  return findings
    .filter(({rule}) => rule === 'composition-mismatch')
    .map(({path, message}) => `${path ?? ''}: ${message}`)
}

describe('a reference to a Composition', () => {
  it.each([
    {
      name: 'of a composite resource',
      in: SHOP + LOTS + object('XShop', '{compositionRef: {name: lots}}'),
      want: [`spec.compositionRef.name: ${MISMATCH}`],
    },
    {
      name: 'of a claim',
      in: SHOP + LOTS + object('Shop', '{compositionRef: {name: lots}}'),
      want: [`spec.compositionRef.name: ${MISMATCH}`],
    },
    {
      name: 'of a namespaced composite resource, to another group',
      in: `${MODERN}${composition('lots', 'Shop', {group: 'a.example'})}${object('Shop', '{crossplane: {compositionRef: {name: lots}}}')}`,
      want: [
        'spec.crossplane.compositionRef.name: Composition lots is for Shop.a.example, not for Shop.town.example',
      ],
    },
    {
      name: 'to a revision that is fixed',
      in:
        SHOP +
        composition('lots-1', 'XLot', {as: 'CompositionRevision'}) +
        object('XShop', '{compositionUpdatePolicy: Manual, compositionRevisionRef: {name: lots-1}}'),
      want: [`spec.compositionRevisionRef.name: CompositionRevision lots-1${MISMATCH.slice(16)}`],
    },
    {
      name: 'of a definition',
      in:
        xrd('XShop', {more: 'enforcedCompositionRef: {name: lots}\n  defaultCompositionRef: {name: lots}'}) +
        LOTS,
      want: [`spec.enforcedCompositionRef.name: ${MISMATCH}`, `spec.defaultCompositionRef.name: ${MISMATCH}`],
    },
    {
      name: 'in packages',
      package: SHOP + LOTS,
      in:
        object('XShop', '{compositionRef: {name: lots}}') + object('Shop', '{compositionRef: {name: lots}}'),
      want: [`spec.compositionRef.name: ${MISMATCH}`, `spec.compositionRef.name: ${MISMATCH}`],
    },
  ])('to one of another kind is reported: $name', ({in: text, want, ...more}) => {
    expect(findingsOf(text, more.package).sort()).toEqual([...want].sort())
  })

  it.each([
    {
      name: 'one of its kind',
      in: SHOP + composition('lots', 'XShop') + object('Shop', '{compositionRef: {name: lots}}'),
    },
    {name: 'one that is elsewhere', in: SHOP + LOTS + object('XShop', '{compositionRef: {name: rows}}')},
    {
      name: 'a variable',
      in: SHOP + LOTS + object('XShop', "{compositionRef: {name: '${lots}'}}"),
    },
    {
      name: 'one that the definition replaces',
      in: `${xrd('XShop', {more: 'enforcedCompositionRef: {name: rows}'})}${LOTS}${object('XShop', '{compositionRef: {name: lots}}')}`,
    },
    {
      name: 'two of one name',
      in: `${SHOP}${LOTS}${composition('lots', 'XShop')}${object('XShop', '{compositionRef: {name: lots}}')}`,
    },
    {
      name: 'a revision that Crossplane replaces',
      in: `${SHOP}${composition('lots-1', 'XLot', {as: 'CompositionRevision'})}${object('XShop', '{compositionRevisionRef: {name: lots-1}}')}`,
    },
    {
      name: 'one by a field of the author of a composite resource of v2',
      in: `${MODERN}${LOTS}${object('Shop', '{compositionRef: {name: lots}}')}`,
    },
    {
      name: 'one by a field of the author of a composite resource of v2 for the whole cluster, in a package',
      package: xrd('Shop', {apiVersion: 'v2', more: 'scope: Cluster'}),
      in: LOTS + object('Shop', '{compositionRef: {name: lots}}'),
    },
    {
      name: 'one by a field of the author of a composite resource of v1',
      in: SHOP + LOTS + object('XShop', '{crossplane: {compositionRef: {name: lots}}}'),
    },
    {
      name: 'none, beside a Composition without a name',
      in: SHOP + LOTS.replace('name: lots', 'generateName: lots') + object('XShop', '{}'),
    },
    {
      name: 'one that the definition of a package replaces',
      package: xrd('XShop', {more: `${CLAIMS}\n  enforcedCompositionRef: {name: rows}`}),
      in:
        LOTS +
        object('XShop', '{compositionRef: {name: lots}}') +
        object('Shop', '{compositionRef: {name: lots}}'),
    },
    {
      name: 'one for a group that is a variable',
      in: `${SHOP}${composition('lots', 'XLot', {group: '${group}'})}${object('XShop', '{compositionRef: {name: lots}}')}`,
    },
    {
      name: 'one whose apiVersion is a variable',
      in:
        SHOP +
        LOTS.replace('town.example/v1', '"${api}"') +
        object('XShop', '{compositionRef: {name: lots}}'),
    },
    {
      name: 'one for a kind that is a variable',
      in: SHOP + composition('lots', '"${kind}"') + object('XShop', '{compositionRef: {name: lots}}'),
    },
    {
      name: 'one by a definition whose group is a variable',
      in: `${xrd('XShop', {more: 'enforcedCompositionRef: {name: lots}'}).replace('group: town.example', 'group: "${group}"')}${LOTS}`,
    },
    {
      name: 'one by a definition whose kind is a variable',
      in:
        xrd('"${kind}"', {more: `${CLAIMS}\n  defaultCompositionRef: {name: lots}`}) +
        LOTS +
        object('Shop', '{compositionRef: {name: lots}}'),
    },
    {
      name: 'one by a definition whose scope is a variable',
      in:
        xrd('XShop', {more: 'scope: "${scope}"'}) + LOTS + object('XShop', '{compositionRef: {name: lots}}'),
    },
    {
      name: 'a variable that is also the name of a Composition',
      in: SHOP + composition('"${lots}"', 'XLot') + object('XShop', "{compositionRef: {name: '${lots}'}}"),
    },
    {
      name: 'one beside a revision, where updates are manual by default',
      in: `${xrd('XShop', {more: 'defaultCompositionUpdatePolicy: Manual'})}${LOTS}${object('XShop', '{compositionRef: {name: lots}, compositionRevisionRef: {name: rows}}')}`,
    },
    {
      name: 'one beside a revision, where the policy is a variable',
      in: `${SHOP}${LOTS}${object('XShop', '{compositionUpdatePolicy: "${policy}", compositionRef: {name: lots}, compositionRevisionRef: {name: rows}}')}`,
    },
    {name: 'labels', in: SHOP + LOTS + object('XShop', '{compositionSelector: {matchLabels: {a: b}}}')},
    {name: 'an object of another kind', in: LOTS + object('Other', '{compositionRef: {name: lots}}')},
  ])('to $name is not', ({in: text, ...more}) => {
    expect(findingsOf(text, more.package)).toEqual([])
  })
})
