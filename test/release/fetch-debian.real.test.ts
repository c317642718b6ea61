import {afterEach, beforeEach, expect, it} from '@jest/globals'
import {existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {sha256} from '../../scripts/release/descriptions.js'
import type {DebianPackage} from '../../scripts/release/image/debian-packages.js'
import {fetchDebian} from '../../scripts/release/image/fetch-debian.js'
import {describeReal} from '../real-parts.js'
import {temporaryFolder} from '../temporary-folder.js'
import {setVariable} from '../set-variable.js'

const missing = existsSync('/usr/lib/apt/apt-helper') ? undefined : 'no apt on this system'

describeReal('a package of Debian', missing, () => {
  const folder = temporaryFolder()
  const content = Buffer.from('a package')
  const sums = {amd64: sha256(content), arm64: sha256(Buffer.from('another'))}
  const deb: DebianPackage = {
    name: 'libexample++1',
    version: '1.0+deb13u1',
    folder: 'main/e/example',
    license: 'MIT',
    sha256: sums,
  }
  const archive = `copy:${join(folder, 'archive')}`
  const cache = join(folder, 'kubectl-crossplane/debian')
  const before = process.env.XDG_CACHE_HOME

  beforeEach(() => {
    process.env.XDG_CACHE_HOME = folder
    const pool = join(folder, 'archive/pool/main/e/example')
    mkdirSync(pool, {recursive: true})
    for (const architecture of ['amd64', 'arm64'])
      writeFileSync(join(pool, `libexample++1_1.0+deb13u1_${architecture}.deb`), content)
  })

  afterEach(() => {
    setVariable('XDG_CACHE_HOME', before)
    rmSync(cache, {recursive: true, force: true})
  })

  it('is downloaded once, and comes from the cache afterwards', () => {
    const path = fetchDebian(deb, 'amd64', archive)
    expect(readFileSync(path)).toEqual(content)
    rmSync(join(folder, 'archive'), {recursive: true})
    expect(fetchDebian(deb, 'amd64', archive)).toBe(path)
    expect(readdirSync(cache)).toEqual([`${sums.amd64}.deb`])
  })

  it('that has vanished is named', () => {
    rmSync(join(folder, 'archive'), {recursive: true})
    const act = () => fetchDebian(deb, 'amd64', archive)
    expect(act).toThrow('cannot make the image: libexample++1_1.0+deb13u1_amd64.deb cannot be downloaded:\n')
    expect(readdirSync(cache)).toEqual([])
  })

  it('with other bytes than expected is rejected, from the archive and from the cache', () => {
    expect(() => fetchDebian(deb, 'arm64', archive)).toThrow('libexample++1_1.0+deb13u1_arm64.deb')
    expect(readdirSync(cache)).toEqual([])
    writeFileSync(fetchDebian(deb, 'amd64', archive), 'another')
    expect(() => fetchDebian(deb, 'amd64', archive)).toThrow(`has the SHA-256 ${sums.arm64}: delete it`)
  })
})
