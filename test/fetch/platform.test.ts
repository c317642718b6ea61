import {describe, expect, it} from '@jest/globals'
import {choosePlatform, formatPlatform, parsePlatform} from '../../src/fetch/platform.js'
import type {Platform} from '../../src/fetch/platform.js'
import {outcome} from '../outcome.js'

describe('parsePlatform', () => {
  it.each([
    {in: 'linux/amd64', want: {os: 'linux', architecture: 'amd64'}},
    {in: 'linux/arm/v7', want: {os: 'linux', architecture: 'arm', variant: 'v7'}},
    {in: ' Linux/ARM64 ', want: {os: 'linux', architecture: 'arm64'}},
    {in: 'linux/aarch64', want: {os: 'linux', architecture: 'arm64'}},
    {in: 'linux/x86_64', want: {os: 'linux', architecture: 'amd64'}},
    {in: 'linux/constructor', want: {os: 'linux', architecture: 'constructor'}},
    {in: 'linux', want: 'usage'},
    {in: '', want: 'usage'},
    {in: 'linux/', want: 'usage'},
    {in: 'linux/arm/v7/x', want: 'usage'},
    {in: 'linux/a b', want: 'usage'},
  ])('$in', async ({in: text, want}) => {
    expect(await outcome(() => parsePlatform(text))).toEqual(want)
  })
})

describe('choosePlatform', () => {
  it.each<{name: string; of: readonly string[]; requested: string; want: string | undefined}>([
    {name: 'the same', of: ['linux/arm64', 'linux/amd64'], requested: 'linux/amd64', want: 'linux/amd64'},
    {name: 'not another system', of: ['windows/amd64'], requested: 'linux/amd64', want: undefined},
    {
      name: 'the first of two',
      of: ['linux/amd64', 'linux/amd64/v1'],
      requested: 'linux/amd64',
      want: 'linux/amd64',
    },
    {name: 'no newer amd64', of: ['linux/amd64/v3'], requested: 'linux/amd64', want: undefined},
    {
      name: 'the newest amd64 that runs',
      of: ['linux/amd64', 'linux/amd64/v2', 'linux/amd64/v4'],
      requested: 'linux/amd64/v3',
      want: 'linux/amd64/v2',
    },
    {
      name: 'arm64 without and with its variant',
      of: ['linux/arm64/v8'],
      requested: 'linux/arm64',
      want: 'linux/arm64/v8',
    },
    {
      name: 'the same the other way round',
      of: ['linux/arm64'],
      requested: 'linux/arm64/v8',
      want: 'linux/arm64',
    },
    {
      name: 'arm is v7',
      of: ['linux/arm/v5', 'linux/arm/v7', 'linux/arm/v6'],
      requested: 'linux/arm',
      want: 'linux/arm/v7',
    },
    {
      name: 'v7 is not v6',
      of: ['linux/arm/v7', 'linux/arm/v5'],
      requested: 'linux/arm/v6',
      want: 'linux/arm/v5',
    },
    {
      name: 'a variant that is not a generation',
      of: ['linux/arm/hard'],
      requested: 'linux/arm',
      want: undefined,
    },
    {
      name: 'other architectures by name',
      of: ['linux/mips64le/softfloat', 'linux/mips64le/hardfloat'],
      requested: 'linux/mips64le/hardfloat',
      want: 'linux/mips64le/hardfloat',
    },
    {
      name: 'any of them if none is named',
      of: ['linux/mips64le/softfloat', 'linux/mips64le'],
      requested: 'linux/mips64le',
      want: 'linux/mips64le',
    },
    {
      name: 'a named one is not unnamed',
      of: ['linux/ppc64le'],
      requested: 'linux/ppc64le/power9',
      want: undefined,
    },
    {name: 'nothing of nothing', of: [], requested: 'linux/amd64', want: undefined},
  ])('$name', ({of, requested, want}) => {
    const candidates: {platform?: Platform}[] = of.map(text => ({platform: parsePlatform(text)}))
    const selected = choosePlatform([{}, ...candidates], parsePlatform(requested))
    expect(selected?.platform && formatPlatform(selected.platform)).toBe(want)
  })
})
