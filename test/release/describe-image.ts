import {beforeAll, describe, expect, it} from '@jest/globals'
import {readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {DEBIAN_PACKAGES} from '../../scripts/release/image/debian-packages.js'
import {thisPlatform} from '../../scripts/release/platforms.js'
import {describeCluster} from '../cluster/describe-cluster.js'
import {runCli} from '../run-cli.js'
import type {EmptyRoot} from './empty-root.js'
import {imageRoot} from './image-root.js'
import {ROOT, run} from './made-release.js'

const ARCHIVE = 'kubectl-crossplane-image.tar'
const FIXTURE = join(ROOT, 'test/testdata/packages/cli-database')
const GUESTBOOK = `apiVersion: apps.example.org/v1alpha1
kind: Guestbook
metadata:
  name: guests
  namespace: team-a
  uid: 6f0a3f5e-1111-4222-8333-444455556666
`
const TEMPLATES = join(ROOT, 'examples/packages/example/app-guestbook@v0.1.0')

interface Index {
  readonly manifests: readonly {
    readonly digest: string
    readonly artifactType?: string
    readonly platform?: {readonly os: string; readonly architecture: string}
  }[]
}

/** The image in a release, read by the tools that users have. */
export function describeImage(release: string, folder: string, revision: string): void {
  describe('the image', () => {
    const source = `oci-archive:${join(release, ARCHIVE)}:0.1.0`
    const layout = join(folder, 'image-layout')
    const architecture = thisPlatform()!.arch
    const skopeo = (...args: readonly string[]) => run('skopeo', args, release)
    const configOf = (arch: string) =>
      JSON.parse(skopeo('inspect', '--override-arch', arch, '--config', source)) as unknown
    let root: EmptyRoot & {readonly path: string}

    beforeAll(() => {
      skopeo('copy', '--quiet', '--override-arch', architecture, source, `oci:${layout}:this`)
      root = imageRoot(layout, 'this', join(folder, 'image'))
      root.put(FIXTURE, '/package')
      root.put(TEMPLATES, '/templates')
      writeFileSync(join(root.path, 'guestbook.yaml'), GUESTBOOK)
    }, 120_000)

    it.each(['amd64', 'arm64'])('for linux/%s starts the program as a user without rights', arch => {
      const {manifests} = JSON.parse(skopeo('inspect', '--raw', source)) as Index
      expect(manifests.map(({platform}) => platform)).toContainEqual({os: 'linux', architecture: arch})
      expect(configOf(arch)).toMatchObject({
        architecture: arch,
        os: 'linux',
        created: '2023-11-14T22:13:20Z',
        config: {
          User: '65532',
          Entrypoint: ['/usr/local/bin/kubectl-crossplane'],
          Labels: {
            'org.opencontainers.image.title': 'kubectl-crossplane',
            'org.opencontainers.image.version': '0.1.0',
            'org.opencontainers.image.licenses': 'Apache-2.0',
            'org.opencontainers.image.revision': revision,
          },
        },
      })
    })

    it('has an SBOM of each platform, which refers to the image for it', () => {
      const unpacked = join(folder, 'image-archive')
      run('mkdir', [unpacked], folder)
      run('tar', ['-xf', join(release, ARCHIVE), '-C', unpacked], folder)
      const json = (path: string) => JSON.parse(readFileSync(join(unpacked, path), 'utf8')) as unknown
      const blob = (digest: string) => json(`blobs/${digest.replace(':', '/')}`)
      const [image, ...artifacts] = (json('index.json') as Index).manifests
      const {manifests} = blob(image!.digest) as Index
      const subjects = artifacts.map(({digest, artifactType}) => {
        expect(artifactType).toBe('application/vnd.cyclonedx+json')
        return blob(digest) as {subject: {digest: string}; layers: [{digest: string}]}
      })
      expect(subjects.map(({subject}) => subject.digest)).toEqual(manifests.map(({digest}) => digest))
      subjects.forEach(({layers}, at) => {
        const {components} = blob(layers[0].digest) as {components: {name: string; purl: string}[]}
        const arch = manifests[at]!.platform!.architecture
        const listed = components.filter(({purl}) => purl.startsWith('pkg:deb/'))
        expect(listed.map(({name}) => name)).toEqual(DEBIAN_PACKAGES.map(({name}) => name))
        expect(listed.every(({purl}) => purl.includes(`arch=${arch}&`))).toBe(true)
        expect(components.map(({name}) => name)).toContain('@oclif/core')
      })
    })

    it('has the packages that its SBOM lists, with their licenses', () => {
      const status = join(root.path, 'var/lib/dpkg/status.d')
      expect(readdirSync(status)).toEqual(DEBIAN_PACKAGES.map(({name}) => name))
      for (const {name, version} of DEBIAN_PACKAGES) {
        expect(readFileSync(join(status, name), 'utf8')).toContain(`\nVersion: ${version}\n`)
        const copyright = join(root.path, 'usr/share/doc', name, 'copyright')
        expect(statSync(copyright).size).toBeGreaterThan(10_000)
      }
    })

    it('prints its version, renders a package and templates', async () => {
      expect(await root.run({}, 'version')).toEqual({...(await runCli('version')), signal: null})
      const args = ['--as-package', 'example/cli-database:v0.2.0']
      const {stdout} = await runCli('package', 'render', FIXTURE, ...args)
      expect(await root.run({}, 'package', 'render', '/package', ...args)).toMatchObject({status: 0, stdout})
      // Helm is compiled to WebAssembly, which a worker loads.
      const rendered = await root.run({}, 'template', 'render', '/templates', '--filename', '/guestbook.yaml')
      expect(rendered).toMatchObject({status: 0, stdout: expect.stringContaining('\nkind: ConfigMap\n')})
    }, 60_000)

    it('cannot write anywhere', async () => {
      const result = await root.run({}, 'package', 'init', '/tmp/new', '--name', 'new')
      expect(result.status).not.toBe(0)
      expect(result.stderr).toContain('/tmp/new')
      expect(readdirSync(join(root.path, 'tmp'))).toEqual([])
    })

    describeCluster('current', 'against a server', cluster => {
      it('lists no packages', async () => {
        root.put(cluster().kubeconfig, '/kubeconfig')
        run('chmod', ['a+r', join(root.path, 'kubeconfig')], '/')
        const listed = await root.run({KUBECONFIG: '/kubeconfig'}, 'package', 'list')
        expect(listed).toMatchObject({status: 0, stdout: ''})
      })
    })
  })
}
