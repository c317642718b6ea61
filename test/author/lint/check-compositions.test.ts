import {describe, expect, it} from '@jest/globals'
import {lintXpkg} from '../../../src/author/lint/lint-xpkg.js'
import {COMPOSITION, WITH_FUNCTION, XRD} from '../../../src/author/lint/rules/xpkg-examples.js'

const composition = (resources: string) => `${COMPOSITION}    input:
      apiVersion: pt.fn.crossplane.io/v1beta1
      kind: Resources
      resources: [${resources}]
`
const resource = (patches: string) =>
  `{name: a, base: {apiVersion: other.example.org/v1, kind: Other}, patches: [${patches}]}`

function reported(
  text: string,
  {rule: id = 'xpkg-composition-fails', xrd = XRD}: {readonly rule?: string; readonly xrd?: string} = {},
): readonly string[] {
  const files = [WITH_FUNCTION, xrd, text].map((content, index) => ({
    path: `${['crossplane', 'definition', 'composition'][index] ?? ''}.yaml`,
    bytes: Buffer.from(content),
  }))
  return lintXpkg({files})
    .filter(({rule}) => rule === id)
    .map(({file, line, field = ''}) => `${file}:${line} ${field}`)
}

const IN = 'composition.yaml:17 spec.pipeline[0].input.resources'

describe('the Compositions of a package', () => {
  it.each([
    {name: 'nothing', in: COMPOSITION, want: []},
    {
      name: 'kinds of other packages',
      in: composition(resource('{fromFieldPath: spec, toFieldPath: spec.any}')),
      want: [],
    },
    {
      name: 'a source that is always missing',
      in: composition(resource('{fromFieldPath: status.unheard}')),
      want: [],
    },
    {
      name: 'an unknown setting',
      in: composition(resource('{fromFieldPath: spec, toFieldpath: spec.any}')),
      want: [`${IN}[0].patches[0].toFieldpath`],
    },
    {
      name: 'a target that the XRD does not have',
      in: composition(
        resource('{type: ToCompositeFieldPath, fromFieldPath: a, toFieldPath: status.unheard}'),
      ),
      want: [`${IN}[0].patches[0].toFieldPath`],
    },
    {
      name: 'a type that a transform does not take',
      in: composition(
        resource(
          '{fromFieldPath: metadata, toFieldPath: a, transforms: [{type: convert, convert: {toType: string}}]}',
        ),
      ),
      want: [`${IN}[0].patches[0].transforms[0]`],
    },
    {
      name: 'a version that is not served',
      in: composition('{name: a, base: {apiVersion: example.org/v9, kind: Database}}'),
      want: [`${IN}[0].base`],
    },
    {name: 'a resource without a base', in: composition('{name: a}'), want: [`${IN}[0]`]},
  ])('are linted: $name', ({in: text, want}) => {
    expect(reported(text)).toEqual(want)
  })

  it.each([
    ['fromFieldPath: spec.a, type: ToCompositeFieldPath, toFieldPath: spec.unheard', 'toFieldPath'],
    ['fromFieldPath: metadata.uid, type: ToCompositeFieldPath', 'fromFieldPath'],
    [
      'fromFieldPath: metadata.uid, type: ToCompositeFieldPath, toFieldPath: "metadata.annotations[a]"',
      'toFieldPath',
    ],
    ['fromFieldPath: metadata.generation, toFieldPath: metadata.labels.a', ''],
    ['fromFieldPath: metadata.uid, toFieldPath: metadata.annotations.example.org/a', 'toFieldPath'],
  ])('are warned of where Crossplane drops what a patch writes: %s', (patch, place) => {
    const base = '{apiVersion: v1, kind: ConfigMap}'
    const text = composition(`{name: a, base: ${base}, patches: [{${patch}}]}`)
    const want = [`${IN}[0].patches[0]${place === '' ? '' : `.${place}`}`]
    expect({fails: reported(text), drops: reported(text, {rule: 'xpkg-composition-dropped'})}).toEqual({
      fails: [],
      drops: want,
    })
  })

  it('fail for a malformed path, wherever it leads', () => {
    const text = composition(
      resource('{type: ToCompositeFieldPath, fromFieldPath: spec.a, toFieldPath: "spec[a"}'),
    )
    expect(reported(text)).toEqual([`${IN}[0].patches[0].toFieldPath`])
  })

  it('can lack what a step of another function sets', () => {
    const xrd = XRD.replace(
      'type: object\n',
      'type: object\n        required: [spec]\n        properties: {spec: {type: object, required: [size], properties: {size: {type: integer}}}}\n',
    )
    const text = composition('{name: a, base: {apiVersion: example.org/v1, kind: Database, spec: {}}}')
    const step = '  - {step: other, functionRef: {name: function-kcl}}\n'
    expect(reported(text, {xrd})).toEqual([`${IN}[0].base.spec.size`])
    expect(reported(text + step, {xrd})).toEqual([])
  })
})
