import {afterAll, beforeAll, expect, it} from '@jest/globals'
import {buildGoTar} from '../go-tar/go-tar.js'
import type {GoTar} from '../go-tar/go-tar.js'
import {missingTool} from '../missing-tool.js'
import {describeReal} from '../real-parts.js'
import {random} from '../shuffled.js'
import {randomTar} from './random-tar.js'
import {member, paxRecord, rawTar, resummed, tarHeader, withPax} from './raw-tar.js'
import type {Comparison} from './tar-comparison.js'
import {compareWithGo} from './tar-comparison.js'

describeReal("tarEntries compared with Go's archive/tar", missingTool('go'), () => {
  let go: GoTar
  beforeAll(async () => {
    go = await buildGoTar()
  }, 300_000)
  afterAll(() => go.remove())

  const app = '.registry/app.yaml'
  const inner = member({name: app}, 'title: other\n')
  it.each<{name: string; in: Buffer; want: Comparison}>([
    {
      name: 'the name of a sparse file',
      in: rawTar(
        withPax(
          {'GNU.sparse.major': '1', 'GNU.sparse.minor': '0', 'GNU.sparse.name': app},
          member({name: 'usr/doc'}, '1\n0\n1\n'.padEnd(512, '\0') + 'x'),
        ),
      ),
      want: 'same',
    },
    {
      name: 'a prefix in a GNU header',
      in: rawTar(member({name: 'app.yaml', prefix: '.registry', magic: 'gnu'}, 'x')),
      want: 'same',
    },
    {name: 'an empty pax path', in: rawTar(withPax({path: ''}, member({name: app}))), want: 'same'},
    {
      name: 'a pax path that a later record empties',
      in: rawTar(
        member({name: 'x', type: 'x'}, paxRecord('path', 'x') + paxRecord('path', '')),
        member({name: app}),
      ),
      want: 'same',
    },
    {
      name: 'an empty GNU long name',
      in: rawTar(member({name: '././@LongLink', type: 'L', magic: 'gnu'}), member({name: app}, 'x')),
      want: 'same',
    },
    {
      name: 'a directory of type NUL with a size',
      in: Buffer.concat([tarHeader({name: 'usr/', type: '\0', size: inner.length}), rawTar(inner)]),
      want: 'same',
    },
    {
      name: 'a global header between an extended header and its member',
      in: rawTar(
        member({name: 'x', type: 'x'}, paxRecord('path', app)),
        member({name: 'g', type: 'g'}, paxRecord('comment', 'x')),
        member({name: 'usr/doc'}),
      ),
      want: 'same',
    },
    {name: 'a mode that is not a number', in: rawTar(oddMode()), want: 'both reject'},
    {
      name: 'an extended header at the end',
      in: rawTar(withPax({path: app}, Buffer.alloc(0))),
      want: 'only we reject',
    },
    {name: 'data after the end', in: Buffer.concat([rawTar(), inner]), want: 'only we reject'},
  ])('reads $name: $want', async ({in: tar, want}) => {
    const [listing] = await go.list([tar])
    expect(await compareWithGo(tar, listing!)).toBe(want)
  })

  it('compares random tars, of which many are accepted', async () => {
    const next = random(1)
    const tars = Array.from({length: 400}, () => randomTar(next))
    const listings = await go.list(tars)
    const found = {same: 0, 'both reject': 0, 'only we reject': 0}
    for (const [index, tar] of tars.entries()) found[await compareWithGo(tar, listings[index]!)] += 1
    expect({same: found.same > 80, rejected: found['both reject'] > 80}).toEqual({same: true, rejected: true})
  })
})

function oddMode(): Buffer {
  const header = tarHeader({name: 'a'})
  header.write('rw-r--r--', 100, 8)
  return resummed(header)
}
