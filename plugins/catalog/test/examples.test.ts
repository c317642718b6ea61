import {describe, expect, it} from '@jest/globals'
import {symlinkSync} from 'node:fs'
import {join} from 'node:path'
import {done, IndexedWorlds} from '../../../test/commands/indexed-world.js'
import {runCli, runCliWith} from '../../../test/run-cli.js'
import {temporaryFolder, writeTree} from '../../../test/temporary-folder.js'
import {LIMITS} from '../src/limits.js'
import {builtSites} from './built-sites.js'
import {SAMPLES} from './sample-packages.js'

const SRC = join(import.meta.dirname, '../src')
const home = temporaryFolder()
const worlds = new IndexedWorlds()
const {at, buildOf, filesOf, page} = builtSites(home)

const OWN = Object.fromEntries(
  Object.entries(SAMPLES).filter(([path]) => path.startsWith('team/sql@v1.0.0/')),
)
const KIND = 'p/team_sql/v1.0.0/kinds/dbs.sql.example.org.html'
const db = (name: string, more = '') => `# Three is enough.
apiVersion: sql.example.org/v1
kind: Db
metadata: {name: ${name}}
spec: {size: 3}
${more}`

/** A folder of packages with the examples of one of them, which is built. */
async function builtWith(name: string, examples: Readonly<Record<string, string>>) {
  const files = Object.entries(examples).map(([path, text]) => [`team/sql@v1.0.0/examples/${path}`, text])
  writeTree(at(`${name}-packages`), {...OWN, ...(Object.fromEntries(files) as Record<string, string>)})
  return await buildOf(`${name}-packages`, name)
}

describe('the page of a kind', () => {
  it('has the examples of its authors as they wrote them, and those of no other kind', async () => {
    const other = 'apiVersion: v1\nkind: Secret\nmetadata: {name: password}\n'
    const {stderr} = await builtWith('own', {
      'sql/db.yaml': `---\n${db('first')}---\n${other}---\n${db('second')}`,
      'notes.txt': 'no',
    })
    expect(stderr).not.toContain('catalog-omitted')
    const kind = page('own', KIND)
    expect(kind).toMatch(/Examples<span class="count">2<|Examples <span class="count">2</)
    expect(kind).toMatch(/<b>first<\/b>.*# Three is enough\.\napiVersion: sql\.example\.org\/v1\nkind: Db/s)
    expect(kind).toContain('<b>second</b>')
    expect(kind).not.toContain('password')
  })

  it('has those of a later build, and the same ones for the same files', async () => {
    await builtWith('later', {'db.yaml': db('first')})
    expect((await builtWith('later', {'db.yaml': db('first')})).stderr).toMatch(/: 0 written/)
    await builtWith('later', {'db.yaml': db('changed')})
    expect(page('later', KIND)).toContain('<b>changed</b>')
  })

  it('names examples that cannot be read, and shows the rest', async () => {
    const {status, stderr} = await builtWith('broken', {
      'bad.yaml': 'a: [',
      'db.yaml': db('good'),
      'no-object.yaml': 'replicas: 3\n',
    })
    expect({status, stderr}).toEqual({
      status: 0,
      stderr: expect.stringMatching(/examples are not shown: .*bad\.yaml/),
    })
    expect(page('broken', KIND)).toContain('<b>good</b>')
  })

  it('is there without examples that lead out of the package', async () => {
    writeTree(at('linked-packages'), OWN)
    writeTree(at('linked-packages/team/sql@v1.0.0/examples'), {'notes.txt': ''})
    symlinkSync('/etc/passwd', at('linked-packages/team/sql@v1.0.0/examples/db.yaml'))
    const {status, stderr} = await buildOf('linked-packages', 'linked')
    expect({status, stderr}).toEqual({status: 0, stderr: expect.stringContaining('examples are not shown: ')})
    expect(page('linked', KIND)).not.toContain('id="examples"')
  })

  it('is made again if its examples become unreadable, to say so', async () => {
    writeTree(at('spoiled-packages'), OWN)
    writeTree(at('spoiled-packages/team/sql@v1.0.0/examples'), {'notes.txt': ''})
    expect((await buildOf('spoiled-packages', 'spoiled')).stderr).not.toContain('examples are not shown')
    symlinkSync('/etc/passwd', at('spoiled-packages/team/sql@v1.0.0/examples/db.yaml'))
    expect((await buildOf('spoiled-packages', 'spoiled')).stderr).toContain('examples are not shown: ')
  })

  it('has as many as a page can, none longer than that, and says so', async () => {
    const many = Array.from({length: LIMITS.examples + 5}, (_, index) => db(`db-${index}`)).join('---\n')
    const long = db('long', `# ${'x'.repeat(LIMITS.example)}\n`)
    const {stderr} = await builtWith('many', {'many.yaml': many, 'long.yaml': long})
    expect(stderr).toContain('dbs.sql.example.org: 6 examples are not shown')
    expect(page('many', KIND).match(/class="example"/g)).toHaveLength(LIMITS.examples)
    expect(page('many', KIND)).toContain('6 more examples are not shown.')
  })

  it('has them of an image in a registry, also if another command pulled it without them, and offline', async () => {
    const world = await worlds.empty()
    const own = Object.entries(OWN).map(([path, text]) => [path.slice('team/sql@v1.0.0/'.length), text])
    writeTree(at('source'), {
      ...(Object.fromEntries(own) as Record<string, string>),
      'examples/db.yaml': db('pushed'),
    })
    const reference = world.reference('sql', 'v1.0.0')
    await done(runCli('package', 'push', reference, at('source'), '--no-lint', '--index', world.root))
    await done(runCli('package', 'pull', reference, '--cache-dir', world.cache))
    const build = async (folder: string, ...more: readonly string[]) => {
      const args = ['--index', world.root, '--cache-dir', world.cache, '--output-dir', at(folder)]
      return await done(runCliWith(SRC, 'catalog', 'build', ...args, ...more))
    }
    await done(world.index('search', 'sql', '--index', world.root))
    const alone = await build('pulled', '--offline')
    expect(alone.stderr).toContain('examples are not shown: they are not in the cache')
    await build('pulled')
    const [kind] = [...filesOf('pulled').keys()].filter(path => path.includes('/kinds/'))
    expect(page('pulled', kind ?? '')).toContain('<b>pushed</b>')
    await build('cached', '--offline')
    expect(filesOf('cached')).toEqual(filesOf('pulled'))
  })
})
