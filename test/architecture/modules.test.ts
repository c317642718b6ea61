import {describe, expect, it} from '@jest/globals'
import type {IConfiguration} from 'dependency-cruiser'
import {readdirSync, readFileSync} from 'node:fs'
import {createRequire} from 'node:module'
import {basename, join} from 'node:path'

const root = join(import.meta.dirname, '../..')
const require = createRequire(import.meta.url)
const {forbidden = []} = require('../../.dependency-cruiser.cjs') as IConfiguration
const modules = readdirSync(join(root, 'src'), {withFileTypes: true})
  .filter(entry => entry.isDirectory())
  .map(entry => entry.name)

function programsUnder(folder: string): readonly string[] {
  return readdirSync(join(root, folder), {recursive: true, encoding: 'utf8'})
    .filter(path => /[.][cm]?[jt]s$/.test(path) && !/(^|\/)(fixtures|testdata)\//.test(path))
    .map(path => join(folder, path))
}

describe('the modules', () => {
  it('match the table in src/README.md', () => {
    const readme = readFileSync(join(root, 'src/README.md'), 'utf8')
    const listed = [...readme.matchAll(/^\| `(\w+)\/` \|/gm)].map(([, name]) => name)
    expect(listed.sort()).toEqual(modules.sort())
  })

  it.each(modules)('%s has a dependency rule', module => {
    const fences = forbidden.filter(({from}) =>
      JSON.stringify(from.path ?? '').match(new RegExp(`\\b${module}\\b`)),
    )
    expect(fences.length).toBeGreaterThan(0)
  })

  it('consist of files named in kebab-case after their exports', () => {
    const named = /^[a-z0-9]+(-[a-z0-9]+)*([.][a-z]+)*[.](ts|[cm]?js)$/
    const files = ['src', 'test', 'scripts', 'bin'].flatMap(programsUnder)
    expect(files.filter(path => !named.test(basename(path)))).toEqual([])
  })
})
