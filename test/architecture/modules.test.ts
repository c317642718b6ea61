import {describe, expect, it} from '@jest/globals'
import type {IConfiguration} from 'dependency-cruiser'
import {readdirSync, readFileSync} from 'node:fs'
import {createRequire} from 'node:module'
import {basename, join} from 'node:path'

const root = join(import.meta.dirname, '../..')
const require = createRequire(import.meta.url)
const {forbidden = []} = require('../../.dependency-cruiser.cjs') as IConfiguration
const modules = foldersIn(join(root, 'src'))

function foldersIn(path: string): readonly string[] {
  const entries = readdirSync(path, {withFileTypes: true})
  return entries.filter(entry => entry.isDirectory()).map(entry => entry.name)
}

/** A folder and all that it contains. */
function withFoldersBelow(path: string): readonly string[] {
  return [path, ...foldersIn(join(root, path)).flatMap(folder => withFoldersBelow(`${path}/${folder}`))]
}

function programsUnder(folder: string): readonly string[] {
  return readdirSync(join(root, folder), {recursive: true, encoding: 'utf8'})
    .filter(path => /[.][cm]?[jt]s$/.test(path) && !/(^|\/)(fixtures|testdata)\//.test(path))
    .map(path => join(folder, path))
}

describe('the modules', () => {
  it('match the table in src/README.md', () => {
    const readme = readFileSync(join(root, 'src/README.md'), 'utf8')
    const listed = [...readme.matchAll(/^\| `(\w+)\/` \|/gm)].map(([, name]) => name)
    expect(listed.sort()).toEqual([...modules].sort())
  })

  it.each(modules)('%s has a dependency rule', module => {
    const fences = forbidden.filter(({from}) =>
      JSON.stringify(from.path ?? '').match(new RegExp(`\\b${module}\\b`)),
    )
    expect(fences.length).toBeGreaterThan(0)
  })

  it('and plugins have an order of their folders in the rules', () => {
    const plugins = foldersIn(join(root, 'plugins')).map(plugin => `plugins/${plugin}/src`)
    // Commands import nothing of each other: `commands-call-the-pipeline`.
    const ordered = modules.filter(module => module !== 'commands').map(module => `src/${module}`)
    const parents = [...ordered, ...plugins].flatMap(withFoldersBelow)
    const missing = parents.flatMap(parent => {
      const folders = foldersIn(join(root, parent))
      const rules = forbidden.filter(({from}) => JSON.stringify(from.path ?? '').includes(`^${parent}/`))
      const texts = JSON.stringify(rules)
      const isNamed = (folder: string) => new RegExp(`[/(|]${folder}[/)|]`).test(texts)
      return folders.length < 2
        ? []
        : folders.filter(folder => !isNamed(folder)).map(folder => `${parent}/${folder}`)
    })
    expect(missing).toEqual([])
  })

  it('consist of files named in kebab-case after their exports', () => {
    const named = /^[a-z0-9]+(-[a-z0-9]+)*([.][a-z]+)*[.](ts|[cm]?js)$/
    const files = ['src', 'test', 'scripts', 'bin'].flatMap(programsUnder)
    expect(files.filter(path => !named.test(basename(path)))).toEqual([])
  })
})
