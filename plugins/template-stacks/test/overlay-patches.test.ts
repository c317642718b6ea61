import {describe, expect, it} from '@jest/globals'
import type {JsonObject} from 'kubectl-crossplane/plugin'
import {fieldSteps} from '../src/kustomize/field-steps.js'
import type {Binding, Overlay} from '../src/kustomize/overlay.js'
import {overlayPatches} from '../src/kustomize/overlay-patches.js'

const resource: JsonObject = {
  metadata: {name: 'demo'},
  spec: {
    size: 3,
    empty: null,
    tags: ['a', 'b'],
    nested: {a: 1},
    'example.org/x': 'dotted',
    big: 9007199254740993n,
  },
}

function overlay(bindings: readonly Binding[], more: Partial<Overlay> = {}): Overlay {
  return {apiVersion: 'things.example.org/v1', kind: 'Widget', name: 'w', bindings, ...more}
}

const IDENTITY = {apiVersion: 'things.example.org/v1', kind: 'Widget', metadata: {name: 'w'}}
const bind = (from: string, to: string): Binding => ({from, to})

interface Case {
  readonly name: string
  readonly reason: string
  readonly in: readonly Overlay[]
  readonly want: {
    readonly patches?: readonly JsonObject[]
    readonly errors?: number
    readonly warnings?: number
  }
}

describe('the patches of overlays', () => {
  it.each<Case>([
    {
      name: 'a value',
      reason: 'missing maps are made',
      in: [overlay([bind('spec.size', 'spec.deep.size')])],
      want: {patches: [{...IDENTITY, spec: {deep: {size: 3}}}]},
    },
    {
      name: 'a large integer',
      reason: 'integers of 64 bits are exact',
      in: [overlay([bind('spec.big', 'spec.big')])],
      want: {patches: [{...IDENTITY, spec: {big: 9007199254740993n}}]},
    },
    {
      name: 'an absent field',
      reason: 'the base keeps its value',
      in: [overlay([bind('spec.absent', 'spec.size'), bind('spec.empty.below', 'spec.other')])],
      want: {patches: [IDENTITY]},
    },
    {
      name: 'null',
      reason: 'it removes the field of the base',
      in: [overlay([bind('spec.empty', 'spec.size')])],
      want: {patches: [{...IDENTITY, spec: {size: null}}]},
    },
    {
      name: 'a key with dots',
      reason: 'a backslash makes a dot a part of the key',
      in: [overlay([bind('spec.example\\.org/x', 'metadata.annotations.example\\.org/x')])],
      want: {patches: [{...IDENTITY, metadata: {name: 'w', annotations: {'example.org/x': 'dotted'}}}]},
    },
    {
      name: 'a key with dots and no backslash',
      reason: 'it would be a path inside a text',
      in: [overlay([bind('spec.size', 'metadata.annotations.example.org/x')])],
      want: {errors: 1},
    },
    {
      name: 'a field of a list',
      reason: 'a list has no fields',
      in: [overlay([bind('spec.tags.0', 'spec.x')])],
      want: {errors: 1},
    },
    {
      name: 'an item of a list',
      reason: 'it is skipped as an absent field, but not silently',
      in: [overlay([bind('spec.tags[0]', 'spec.x')])],
      want: {patches: [IDENTITY], warnings: 1},
    },
    {
      name: 'a field of a number',
      reason: 'a number has no fields',
      in: [overlay([bind('spec.size.x', 'spec.x')])],
      want: {errors: 1},
    },
    {
      name: 'a path through a value set before',
      reason: 'the value has no fields',
      in: [overlay([bind('spec.size', 'spec.x'), bind('spec.size', 'spec.x.y')])],
      want: {errors: 1},
    },
    {
      name: 'two bindings of one field',
      reason: 'the later one wins, with all below it',
      in: [overlay([bind('spec.size', 'spec.nested.b'), bind('spec.nested', 'spec.nested')])],
      want: {patches: [{...IDENTITY, spec: {nested: {a: 1}}}]},
    },
    {
      name: 'two overlays for one object',
      reason: 'they are one patch',
      in: [overlay([bind('spec.size', 'spec.a')]), overlay([bind('spec.size', 'spec.b')])],
      want: {patches: [{...IDENTITY, spec: {a: 3, b: 3}}]},
    },
    {
      name: 'two overlays that set a field to different values',
      reason: 'neither is right',
      in: [overlay([bind('spec.size', 'spec.a')]), overlay([bind('metadata.name', 'spec.a')])],
      want: {errors: 1},
    },
    {
      name: 'an overlay with a namespace',
      reason: 'an object with a namespace differs from one without',
      in: [
        overlay([bind('spec.size', 'spec.a')], {namespace: 'n'}),
        overlay([bind('metadata.name', 'spec.a')]),
      ],
      want: {
        patches: [
          {...IDENTITY, metadata: {name: 'w', namespace: 'n'}, spec: {a: 3}},
          {...IDENTITY, spec: {a: 'demo'}},
        ],
      },
    },
    {
      name: 'a binding of the name',
      reason: 'the patch would be for another object',
      in: [overlay([bind('metadata.name', 'metadata.name')])],
      want: {errors: 1},
    },
    {
      name: 'an empty step',
      reason: 'no key is empty',
      in: [overlay([bind('spec..size', 'spec.x')])],
      want: {errors: 1},
    },
    {
      name: 'a key that objects have in JavaScript',
      reason: 'it is a key as any other',
      in: [overlay([bind('spec.size', 'spec.__proto__.x'), bind('spec.constructor', 'spec.y')])],
      want: {patches: [{...IDENTITY, spec: JSON.parse('{"__proto__": {"x": 3}}') as JsonObject}]},
    },
  ])('$name: $reason', ({in: overlays, want}) => {
    const {patches, errors, warnings} = overlayPatches(overlays, resource)
    expect({errors: errors.length, warnings: warnings.length}).toEqual({
      errors: want.errors ?? 0,
      warnings: want.warnings ?? 0,
    })
    if (want.patches !== undefined) expect(patches).toEqual(want.patches)
  })
})

describe('the steps of a path', () => {
  it.each([
    {in: 'spec.size', want: ['spec', 'size']},
    {in: 'a\\.b.c', want: ['a.b', 'c']},
    {in: 'a', want: ['a']},
    {in: '', want: undefined},
    {in: 'a.', want: undefined},
    {in: '.a', want: undefined},
    {in: 'a..b', want: undefined},
  ])('of $in', ({in: path, want}) => {
    expect(fieldSteps(path)).toEqual(want)
  })
})
