import {afterAll, beforeAll, describe, expect} from '@jest/globals'
import {createHash} from 'node:crypto'
import {cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {owner} from '../commands/locked-world.js'
import {startRegistry, type RegistryServer} from '../fakes/registry-server.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {campaign, pick} from './campaign.js'
import {mutated} from './mutated.js'

const folder = temporaryFolder()
const [archive, layout] = [join(folder, 'full.tar'), join(folder, 'full')]
const VERSIONS = ['v1.0.0', 'v1.1.0']

interface Descriptor {
  mediaType: string
  digest: string
  size: number
}

describe('mutated bundles', () => {
  let registry: RegistryServer | undefined
  let sound = ''

  const succeeded = async (...args: readonly string[]) => {
    const result = await runCli(...args)
    expect(result).toMatchObject({status: 0})
    return result.stdout
  }
  const verified = async (bundle: string) => await runCli('bundle', 'verify', bundle, '--output', 'json')

  beforeAll(async () => {
    registry = await startRegistry()
    const {host} = registry
    const references: string[] = []
    for (const version of VERSIONS) {
      const source = writeTree(mkdtempSync(join(folder, 'source-')), owner(version, 'as', 'v1'))
      const reference = `${host}/${version === 'v1.0.0' ? 'first' : 'second'}/as:${version}`
      await succeeded('package', 'push', reference, join(source, `x/as@${version}`), '--no-lint')
      references.push(reference)
    }
    for (const output of [archive, layout]) {
      const flags = ['--output-file', output, '--no-cache']
      await succeeded('bundle', 'create', ...references.slice(0, 1), '--image', references[1]!, ...flags)
    }
    sound = await succeeded('bundle', 'verify', archive, '--output', 'json')
  })
  afterAll(() => registry?.close())

  /** Ends with a coded error, or everything that a bundle says and has is as it was. */
  const judged = async (bundle: string) => {
    const {status, stdout, stderr} = await verified(bundle)
    expect(stderr).not.toContain('this is a bug')
    if (status === 0) expect(named(stdout, bundle)).toEqual(named(sound, archive))
    else expect([1, 4]).toContain(status)
  }

  campaign('an archive', {short: 80, long: 4000}, async ({random}) => {
    const file = join(folder, 'mutated.tar')
    writeFileSync(file, mutated(random, readFileSync(archive)))
    await judged(file)
  })

  campaign('a file of a layout', {short: 80, long: 4000}, async ({random}) => {
    const target = copied()
    const path = pick(random, filesIn(target))
    writeFileSync(path, mutated(random, readFileSync(path)))
    await judged(target)
  })

  campaign('a description with its digests', {short: 40, long: 2000}, async ({random}) => {
    const target = copied()
    const blob = ({digest}: Descriptor) => join(target, 'blobs', digest.replace(':', '/'))
    const index = JSON.parse(readFileSync(join(target, 'index.json'), 'utf8')) as {manifests: Descriptor[]}
    const described = index.manifests.find(each => configOf(blob(each)).includes('kubectl-crossplane'))!
    const manifest = JSON.parse(readFileSync(blob(described), 'utf8')) as {config: Descriptor}
    const content = mutated(random, readFileSync(blob(manifest.config)))
    const put = (bytes: Buffer, at: Descriptor) => {
      Object.assign(at, {size: bytes.length, digest: `sha256:${sha256(bytes)}`})
      writeFileSync(blob(at), bytes)
    }
    put(content, manifest.config)
    put(Buffer.from(JSON.stringify(manifest)), described)
    writeFileSync(join(target, 'index.json'), JSON.stringify(index))
    const {status, stderr} = await verified(target)
    expect(stderr).not.toContain('this is a bug')
    expect([0, 1, 4]).toContain(status)
  })
})

function copied(): string {
  const target = join(folder, 'mutated')
  rmSync(target, {recursive: true, force: true})
  cpSync(layout, target, {recursive: true})
  return target
}

function filesIn(root: string): readonly string[] {
  return readdirSync(root, {recursive: true, withFileTypes: true})
    .filter(entry => entry.isFile())
    .map(({parentPath, name}) => join(parentPath, name))
    .sort()
}

function configOf(manifest: string): string {
  return (JSON.parse(readFileSync(manifest, 'utf8')) as {config?: Descriptor}).config?.mediaType ?? ''
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** A report names its bundle. */
function named(report: string, bundle: string): string {
  return report.replaceAll(bundle, 'BUNDLE')
}
