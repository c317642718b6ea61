import {expect, it, jest} from '@jest/globals'
import {existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync} from 'node:fs'
import {resolve} from 'node:path'
import {missingTool} from '../../../test/missing-tool.js'
import {describeReal} from '../../../test/real-parts.js'
import {runProgram} from '../../../test/run-program.js'
import {temporaryFolder, writeTree} from '../../../test/temporary-folder.js'
import {builtSites} from './built-sites.js'
import {SAMPLES} from './sample-packages.js'

jest.setTimeout(120_000)

const PROGRAM = resolve('bin/run.js')
const missing = existsSync('plugins/catalog/dist/command-map.js')
  ? missingTool('strace')
  : 'the program is not built'
const home = temporaryFolder()
const {at, filesOf} = builtSites(home)

/** Builds the site, and lists the pages of versions and the files of packages that were opened, below the home. */
async function tracedBuild(): Promise<{readonly status: number | null; readonly opened: readonly string[]}> {
  const log = at('trace')
  const build = ['catalog', 'build', '--packages', at('packages'), '--output-dir', at('site'), '--offline']
  const trace = ['-f', '-qq', '-e', 'trace=open,openat', '-o', log, process.execPath, PROGRAM, ...build]
  const {status} = await runProgram('strace', trace, {env: {XDG_CACHE_HOME: at('cache')}})
  const paths = readFileSync(log, 'utf8')
    .split('\n')
    .filter(call => !call.includes('O_DIRECTORY'))
    .flatMap(call => /\bopen(?:at)?\(.*?"([^"]*)".* = \d+$/.exec(call)?.[1] ?? [])
  const own = paths.filter(path => path.startsWith(`${home}/`)).map(path => path.slice(home.length + 1))
  const isOfVersion = (path: string) =>
    path.startsWith('packages/') || /^site\/p\/.+\/(?:kinds|forms|groups|changes)/.test(path)
  return {status, opened: [...new Set(own.filter(isOfVersion))].sort()}
}

/** Longer than the times of the coarsest file system. */
const settled = async () => await new Promise(resolve => setTimeout(resolve, 2_100))

describeReal('a catalog that is built again under strace', missing, () => {
  it('reads no package and no page that is as it was, and each that is not', async () => {
    writeTree(at('packages'), SAMPLES)
    await settled()
    expect((await tracedBuild()).opened.length).toBeGreaterThan(20)
    await settled()
    // Pages of small sites are written within one tick of the clock: the second build reads them once more.
    await tracedBuild()
    expect(await tracedBuild()).toEqual({status: 0, opened: []})

    const crd = at('packages/team/sql@v1.1.0/crd.yaml')
    const {atime, mtime} = statSync(crd)
    writeFileSync(crd, readFileSync(crd, 'utf8').replace('Its size.', 'Its SIZE.'))
    utimesSync(crd, atime, mtime)
    const changed = await tracedBuild()
    const packages = changed.opened.filter(path => path.startsWith('packages/'))
    expect(new Set(packages.map(path => path.split('/').slice(1, 3).join('/')))).toEqual(
      // The one before it is read to compare them.
      new Set(['team/sql@v1.0.0', 'team/sql@v1.1.0']),
    )
    const again = filesOf('site')
    rmSync(at('site'), {recursive: true})
    rmSync(at('cache'), {recursive: true})
    await tracedBuild()
    expect(filesOf('site')).toEqual(again)
    expect(readdirSync(at('site/.kubectl-crossplane')).sort()).toEqual(['catalog.jsonl', 'files.sha256'])
  })
})
