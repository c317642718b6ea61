import {afterAll, beforeAll} from '@jest/globals'
import {compareWithGo} from '../fetch/tar-comparison.js'
import {randomTar} from '../fetch/random-tar.js'
import {buildGoTar} from '../go-tar/go-tar.js'
import type {GoTar} from '../go-tar/go-tar.js'
import {missingTool} from '../missing-tool.js'
import {describeReal} from '../real-parts.js'
import {campaign} from './campaign.js'

describeReal("tars, compared with Go's archive/tar", missingTool('go'), () => {
  let go: GoTar
  beforeAll(async () => {
    go = await buildGoTar()
  }, 300_000)
  afterAll(() => go.remove())

  campaign('are read as Go reads them, or rejected', {short: 20}, async ({random}) => {
    const tars = Array.from({length: 500}, () => randomTar(random))
    const listings = await go.list(tars)
    for (const [index, tar] of tars.entries()) await compareWithGo(tar, listings[index]!)
  })
})
