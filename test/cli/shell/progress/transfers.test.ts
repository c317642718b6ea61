import {describe, expect, it} from '@jest/globals'
import {stepLine, Transfers} from '../../../../src/cli/shell/progress/transfers.js'

const manifest = {kind: 'manifest', name: 'sha256:0', done: 500, total: 500} as const
const layer = (name: string, done: number) => ({kind: 'layer', name, done, total: 2_000_000}) as const
const upload = (done: number) => ({kind: 'upload', name: 'sha256:3', done, total: 3000}) as const
const retry = {kind: 'retry', name: 'sha256:1', done: 1, total: 5, wait: 1250} as const
const entries = (name: string, done: number, total: number) =>
  ({kind: 'entry-read', name, done, total}) as const

describe('Transfers', () => {
  it.each([
    {name: 'before any layer', in: [manifest], want: 'Contacting the registry'},
    {name: 'one layer', in: [layer('sha256:1', 500_000)], want: 'Reading 1 layer: 488 KiB of 1.9 MiB'},
    {
      name: 'layers at the same time are summed up',
      in: [layer('sha256:1', 500_000), layer('sha256:2', 0), layer('sha256:1', 2_000_000)],
      want: 'Reading 2 layers: 1.9 MiB of 3.8 MiB',
    },
    {
      name: 'uploads, whatever was read before them',
      in: [layer('sha256:1', 2_000_000), upload(1000)],
      want: 'Uploading 1 blob: 1000 B of 2.9 KiB',
    },
    {
      name: 'the last step, while nothing is transferred',
      in: [
        {kind: 'step', name: 'Contacting a.org'},
        {kind: 'step', name: 'Resolving dependencies'},
      ] as const,
      want: 'Resolving dependencies',
    },
    {
      name: 'a wait, whatever is requested meanwhile',
      in: [
        {kind: 'wait', task: 'objects', name: 'Waiting for 2'},
        {kind: 'wait', task: 'objects', name: 'Waiting for 1'},
        {kind: 'step', name: 'Contacting a.org'},
      ] as const,
      want: 'Waiting for 1',
    },
    {
      name: 'the step after a wait',
      in: [
        {kind: 'wait', task: 'objects', name: 'Waiting for 1'},
        {kind: 'step', name: 'Contacting a.org'},
        {kind: 'wait-end', task: 'objects'},
      ] as const,
      want: 'Contacting a.org',
    },
    {
      name: 'an attempt that failed',
      in: [layer('sha256:1', 0), retry],
      want: 'Reading 1 layer: 0 B of 1.9 MiB; sha256:1: attempt 1 of 5 failed, retrying in 1.3s',
    },
    {
      name: 'entries of indexes, while they are read',
      in: [layer('sha256:1', 2_000_000), entries('a.org/i', 3, 40), entries('b.org/i', 1, 2)],
      want: 'Reading an index: 4 of 42 entries',
    },
    {
      name: 'layers after them',
      in: [entries('a.org/i', 40, 40), layer('sha256:1', 1000)],
      want: 'Reading 1 layer: 1000 B of 1.9 MiB',
    },
    {
      name: 'entries that are written',
      in: [{...entries('a.org/i', 3, 40), kind: 'entry-written'} as const],
      want: 'Writing an index: 3 of 40 entries',
    },
    {
      name: 'what moves again after it',
      in: [layer('sha256:1', 0), retry, layer('sha256:1', 1000)],
      want: 'Reading 1 layer: 1000 B of 1.9 MiB',
    },
  ])('$name', ({in: events, want}) => {
    const transfers = new Transfers()
    expect(events.map(event => transfers.after(event)).at(-1)).toBe(want)
  })
})

describe('stepLine', () => {
  it.each([
    {event: manifest, want: 'manifest sha256:0 (500 B)'},
    {event: layer('sha256:1', 500_000), want: undefined},
    {event: layer('sha256:1', 2_000_000), want: 'read layer sha256:1 (1.9 MiB)'},
    {event: upload(3000), want: 'uploaded sha256:3 (2.9 KiB)'},
    {event: {...upload(3000), kind: 'present'} as const, want: 'already there: sha256:3 (2.9 KiB)'},
    {event: entries('a.org/i', 40, 40), want: undefined},
    {event: {...upload(3000), kind: 'mounted'} as const, want: 'mounted sha256:3 (2.9 KiB)'},
    {event: retry, want: 'sha256:1: attempt 1 of 5 failed, retrying in 1.3s'},
  ])('of $event.kind: $want', ({event, want}) => {
    expect(stepLine(event)).toBe(want)
  })
})
