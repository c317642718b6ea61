import {describe, expect, it} from '@jest/globals'
import {cyclesIn} from '../../../src/plan/layout/dependency-cycles.js'

/** The sets of nodes that lead to each other, of a graph such as `a:bc b:a c:`. */
function cyclesOf(text: string): readonly string[] {
  const edges = text.split(' ').map(each => each.split(':') as [string, string])
  const cycles = cyclesIn(new Map(edges.map(([node, targets]) => [node, [...targets]])))
  const members = new Map<number, string>()
  for (const [node, number] of cycles) members.set(number, `${members.get(number) ?? ''}${node}`)
  return [...members.values()].map(each => [...each].sort().join('')).sort()
}

describe('cyclesIn', () => {
  it.each([
    {reason: 'nothing leads back', in: 'a:bc b:c c:', want: ['a', 'b', 'c']},
    {reason: 'two lead to each other', in: 'a:b b:a c:a', want: ['ab', 'c']},
    {reason: 'a node leads to itself', in: 'a:a b:a', want: ['a', 'b']},
    {reason: 'through others', in: 'a:b b:c c:a d:b e:', want: ['abc', 'd', 'e']},
    {reason: 'two cycles share a node', in: 'a:b b:ac c:b d:', want: ['abc', 'd']},
    {reason: 'one cycle leads to another', in: 'a:b b:ac c:d d:c', want: ['ab', 'cd']},
    {reason: 'a target is not in the graph', in: 'a:z', want: ['a', 'z']},
  ])('$in: $reason', ({in: text, want}) => {
    expect(cyclesOf(text)).toEqual(want)
  })

  it('does not recurse: chains can be long', () => {
    const chain = Array.from({length: 100_000}, (_, index) => [`${index}`, [`${index + 1}`]] as const)
    expect(cyclesIn(new Map(chain)).size).toBe(100_001)
  })
})
