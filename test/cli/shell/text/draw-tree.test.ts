import {describe, expect, it} from '@jest/globals'
import {drawTree} from '../../../../src/cli/shell/text/draw-tree.js'

const leaf = (text: string) => ({text, children: []})

describe('a tree', () => {
  it('is drawn with a line for each node', () => {
    const nodes = [
      {
        text: 'a',
        children: [
          {text: 'b', children: [leaf('c')]},
          {text: 'd', children: [leaf('e')]},
        ],
      },
      leaf('f'),
    ]
    expect(drawTree(nodes)).toEqual(['a', '├── b', '│   └── c', '└── d', '    └── e', 'f'])
  })
})
