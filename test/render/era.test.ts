import {describe, expect, it} from '@jest/globals'
import {ERA_NAMES} from '../../src/reference/era-name.js'
import {eraOf, ERAS, pluralOf} from '../../src/render/era.js'

describe('eraOf', () => {
  it.each([
    ['packages.crossplane.io/v1alpha1', ERAS.packages],
    ['stacks.crossplane.io/v1alpha1', ERAS.stacks],
    ['packages.crossplane.io/v1beta1', undefined],
    ['pkg.crossplane.io/v1', undefined],
    ['', undefined],
  ])('%s', (apiVersion, want) => {
    expect(eraOf(apiVersion)).toBe(want)
  })
})

describe('the table of eras', () => {
  it('contains existing eras, which share only the kind of definitions and the version', () => {
    const {packages, stacks} = ERAS
    const flat = (era: typeof packages) =>
      Object.entries({...era, ...era.kinds, ...era.behaviorContainers}).filter(
        ([, value]) => typeof value === 'string',
      )
    const same = flat(packages).filter(([key, value]) =>
      flat(stacks).some(([k, v]) => k === key && v === value),
    )
    expect({names: [...ERA_NAMES], same}).toEqual({
      names: Object.keys(ERAS),
      same: [
        ['version', 'v1alpha1'],
        ['definition', 'StackDefinition'],
      ],
    })
  })

  it.each([
    ['Package', 'packages'],
    ['ClusterStackInstall', 'clusterstackinstalls'],
    ['StackDefinition', 'stackdefinitions'],
  ])('serves %s as %s', (kind, plural) => {
    expect(pluralOf(kind)).toBe(plural)
  })
})
