import {expect, it} from '@jest/globals'
import {convertCrd} from '../../src/crd/convert/convert-crd.js'
import {checkCrd} from '../../src/crd/checks/check-crd.js'
import {describeCorpus} from '../corpus.js'
import {corpusCrds} from './corpus-crds.js'

describeCorpus('the CRDs of real packages', () => {
  const crds = corpusCrds()
  const converted = crds.map(crd => convertCrd(crd, {nonStructural: 'refuse'}))

  it('are all structural in v1', () => {
    expect(converted).toHaveLength(315)
    expect(converted.flatMap(({crd}) => checkCrd(crd))).toEqual([])
  })

  it('require exactly the conversions that docs/decisions counts', () => {
    const counts: Record<string, number> = {}
    for (const {rule} of converted.flatMap(({notes}) => notes)) counts[rule] = (counts[rule] ?? 0) + 1
    expect(counts).toEqual({
      'pruned-by-default': 313,
      'kept-as-declared': 2,
      'payload-kept': 37,
      'format-enforced': 375,
      'type-inferred': 2,
    })
  })
})
