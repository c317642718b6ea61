import {expect, it} from '@jest/globals'
import {readLiveObjects} from '../src/live-objects.js'

const file = (text: string) => ({name: 'state.yaml', bytes: Buffer.from(text)})

it('reads objects, and the items of lists', () => {
  const text = 'kind: A\n---\nkind: List\nitems:\n- kind: B\n- kind: C\n'
  expect(readLiveObjects(file(text)).map(({kind}) => kind)).toEqual(['A', 'B', 'C'])
})

it('reports all documents that are not objects, with their lines', () => {
  expect(() => readLiveObjects(file('kind: A\n---\n- a\n---\nname: b\n'))).toThrow(
    expect.objectContaining({
      code: 'input-invalid',
      diagnostics: [
        expect.objectContaining({rule: 'state-object', line: 3}),
        expect.objectContaining({rule: 'state-object', line: 5}),
      ],
    }),
  )
})
