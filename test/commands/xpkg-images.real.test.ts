import {execFile} from 'node:child_process'
import {join} from 'node:path'
import {promisify} from 'node:util'
import {expect, it} from '@jest/globals'
import {CORPUS_ROOT, corpusEntries, describeCorpus} from '../corpus.js'
import {missingTool} from '../missing-tool.js'
import {describeReal} from '../real-parts.js'
import {DOCKER_REGISTRY_TOOLS, dockerRegistries} from '../registry/docker-registry.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder} from '../temporary-folder.js'
import {asObject, asObjects, asText, type JsonObject} from '../../src/yaml/json-value.js'

const run = promisify(execFile)
const temporary = temporaryFolder()
const at = (path: string) => join(temporary, path)
const EXAMPLE = './examples/xpkg/configuration-database'

async function raw(...args: readonly string[]): Promise<JsonObject> {
  return JSON.parse((await run('skopeo', ['inspect', '--tls-verify=false', ...args])).stdout) as JsonObject
}

describeReal('xpkgs, read by other tools', missingTool('skopeo', ...DOCKER_REGISTRY_TOOLS), () => {
  const start = dockerRegistries()

  it('are pushed to a registry by tag, with the digest and the layers that were built', async () => {
    const {host} = await start()
    const {stdout: digest} = await runCli('package', 'build', at('p.xpkg'), EXAMPLE)
    const reference = `${host}/team/database:v1.0.0`
    for (const source of [at('p.xpkg'), EXAMPLE]) {
      const {status, stdout} = await runCli('package', 'push', reference, source)
      expect({status, stdout}).toEqual({status: 0, stdout: `${reference}@${digest}`})
    }
    const manifest = await raw('--raw', `docker://${reference}`)
    const [layer] = asObjects(manifest.layers)
    expect(layer?.annotations).toEqual({'io.crossplane.xpkg': 'base'})
    const config = await raw('--config', '--raw', `docker://${reference}`)
    expect(asObject(config.config).Labels).toEqual({[`io.crossplane.xpkg:${asText(layer?.digest)}`]: 'base'})
  })

  it('in a file are an archive of Docker', async () => {
    await runCli('package', 'build', at('file.xpkg'), EXAMPLE)
    await run('skopeo', [
      ...['--insecure-policy', 'copy', `docker-archive:${at('file.xpkg')}`, `oci:${at('copied')}:v1.0.0`],
    ])
    const inspected = await runCli('package', 'inspect', `docker-archive:${at('file.xpkg')}`, '-o', 'json')
    expect(JSON.parse(inspected.stdout)).toMatchObject({package: {kind: 'Configuration'}})
    const copied = await runCli('package', 'inspect', `oci:${at('copied')}:v1.0.0`, '-o', 'json')
    expect(JSON.parse(copied.stdout)).toMatchObject({package: {kind: 'Configuration'}})
  })
})

const packages = corpusEntries('corpus-xpkg').filter(name => name.includes('@'))

describeCorpus('real packages for a current Crossplane', () => {
  it.each(packages)('%s is built, and read back', async name => {
    const folder = join(CORPUS_ROOT, 'corpus-xpkg', name)
    // azuread's repository keeps `kustomize/` out of its package by a .gitignore that the corpus does not hold.
    const ignored = ['--ignore', 'auth.yaml', '--ignore', 'kustomize/*']
    const {status, stderr} = await runCli('package', 'build', at(`${name}.xpkg`), folder, ...ignored)
    expect({status, stderr: stderr.replace(/^(?:Warning|.*bytes$).*\n?/gm, '')}).toEqual({
      status: 0,
      stderr: '',
    })
    expect((await runCli('package', 'lint', at(`${name}.xpkg`))).status).toBe(0)
  })
})
