import {describe, expect, it} from '@jest/globals'
import {mkdtempSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {APP_YAML, owner, prefixed} from './locked-world.js'

const folder = temporaryFolder()
const API = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\n'
const INSTALL = `apiVersion: apps/v1
kind: Deployment
metadata: {name: app}
spec:
  selector: {matchLabels: {app: app}}
  template:
    metadata: {labels: {app: app}}
    spec:
      containers:
      - name: controller
        image: x/app:v1.0.0
        securityContext: {privileged: true}
`

/** A package that requires another one, a declaration and its policy. */
function world(fields: string) {
  const root = writeTree(mkdtempSync(join(folder, 'rules-')), {
    ...prefixed('packages/', {
      'x/app@v1.0.0/.registry/app.yaml': `version: v1.0.0\n${APP_YAML}permissionScope: Cluster\ndependsOn: [{crd: as.x.example.org}]\n`,
      'x/app@v1.0.0/.registry/install.yaml': INSTALL,
      ...owner('v1.0.0', 'as', 'v1'),
    }),
    'policy.yaml': `${API}kind: Policy\n${fields}`,
    'crossplane-packages.yaml': `${API}kind: PackageDeclaration\npolicy: policy.yaml\npackages:\n- package: x/app\n`,
  })
  const at = (path: string) => join(root, path)
  const args = ['--declaration', at('crossplane-packages.yaml'), '--packages', at('packages')]
  return {
    at,
    args,
    render: (...more: readonly string[]) => runCli('package', 'render', ...args, ...more),
    set: (text: string) => {
      writeFileSync(at('policy.yaml'), `${API}kind: Policy\n${text}`)
    },
  }
}

const REJECTS = [
  {
    name: 'wide permissions',
    in: 'reject: {widePermissions: [cluster-secrets]}\n',
    want: /policy\.yaml:3: x\/app:v1\.0\.0: the permission to .* is wide: cluster-secrets \[policy-wide-permission\]/,
  },
  {
    name: 'images without a digest',
    in: 'reject:\n  imagesWithoutDigest: true\n',
    want: /policy\.yaml:4: x\/app:v1\.0\.0: Deployment \S+: the image "x\/app:v1\.0\.0" of controller has no digest/,
  },
  {
    name: 'privileged Deployments',
    in: 'reject: {privilegedDeployments: true}\n',
    flags: ['--allow-full-deployment'],
    want: /container controller: securityContext\.privileged is root on the node \[policy-privileged\]/,
  },
  {
    name: 'a rule',
    in: `rules:\n- name: no-tags\n  expression: pkg.tag == ""\n  message: tags move\n`,
    want: /policy\.yaml:4: x\/app:v1\.0\.0: tags move \[policy\/no-tags\]/,
  },
  {
    name: 'a rule that cannot be evaluated',
    in: `rules:\n- name: first\n  expression: images[5].digest != ""\n`,
    want: /the rule cannot be evaluated: .*\[policy\/first\]/,
  },
]

describe('the rules of a policy', () => {
  it.each(REJECTS)('reject $name', async ({in: fields, flags = [], want}) => {
    const {status, stderr, stdout} = await world(fields).render(...flags)
    expect({status, stdout}).toEqual({status: 4, stdout: ''})
    expect(stderr).toMatch(want)
  })

  it('pass what they allow', async () => {
    const {render} = world(`rules:\n- name: hub\n  expression: pkg.repository.startsWith("docker.io/x/")\n`)
    expect(await render()).toMatchObject({status: 0, stderr: expect.not.stringContaining('policy')})
  })

  it('name who answers for the policy', async () => {
    const {render} = world(`contact: Team A <a@example.org>\nrules: [{name: never, expression: "false"}]\n`)
    const {stderr} = await render()
    expect(stderr).toContain('of Team A <a@example.org> rejects them')
    const json = await render('--output', 'json')
    expect(json.status).toBe(4)
  })

  it('are compiled before anything is rendered; errors have line, rule and column', async () => {
    const {render, set} = world(
      `rules:\n- name: typo\n  expression: |\n    images.all(i,\n      i.digset != "")\n`,
    )
    const first = await render()
    expect(first).toMatchObject({status: 1})
    expect(first.stderr).toMatch(/policy\.yaml:7: the rule typo, column 9: i has no field digset/)
    set(`rules:\n- name: url\n  expression: url(pkg.tag).getHost() == "a"\n`)
    const second = await render()
    expect(second.stderr).toMatch(
      /policy\.yaml:5: the rule url, column 15: url belongs to Kubernetes' own CEL library/,
    )
  })

  it('end at their limit', async () => {
    const loop =
      'range.all(a, range.all(b, range.all(c, range.all(d, range.all(e, a + b + c + d + e < 0 || true)))))'
    const range = `[${Array.from({length: 40}, (_none, index) => index).join(', ')}]`
    const {render} = world(
      `rules:\n- name: loops\n  expression: >-\n    ${loop.replaceAll('range', range)}\n`,
    )
    const {status, stderr} = await render()
    expect({status, stderr}).toEqual({
      status: 4,
      stderr: expect.stringMatching(/cannot evaluate the rule loops of .*: it takes/),
    })
  })
})

describe('the policy of requests in files', () => {
  const REQUEST = `apiVersion: packages.crossplane.io/v1alpha1
kind: ClusterPackageInstall
metadata: {name: app, namespace: team}
spec: {package: "x/app:v1.0.0"}
`
  const RECORD = `apiVersion: packages.crossplane.io/v1alpha1
kind: Package
metadata: {name: mine, namespace: team}
spec:
  apiVersion: packages.crossplane.io/v1alpha1
  permissionScope: Namespaced
  controller:
    deployment:
      name: mine
      spec:
        selector: {matchLabels: {app: mine}}
        template:
          metadata: {labels: {app: mine}}
          spec: {containers: [{name: c, image: "x/mine:v1"}]}
`

  /** Renders files with a policy. */
  async function rendered(fields: string, text = REQUEST, image = 'x/app:v1.0.0') {
    const {at} = world(fields)
    const install = at('packages/x/app@v1.0.0/.registry/install.yaml')
    writeFileSync(install, INSTALL.replace('image: x/app:v1.0.0', `image: ${image}`))
    writeFileSync(at('request.yaml'), text)
    return await runCli(
      ...['package', 'render', '-f', at('request.yaml'), '--packages', at('packages')],
      ...['--policy', at('policy.yaml')],
    )
  }

  it.each([
    {
      name: 'rules',
      in: 'rules:\n- name: no-tags\n  expression: pkg.repository != "docker.io/x/app" || pkg.tag == ""\n',
      want: /policy\.yaml:4: x\/app:v1\.0\.0: failed expression: .* \[policy\/no-tags\]/,
    },
    {
      name: 'fields',
      in: 'reject: {imagesWithoutDigest: true}\n',
      want: /the image "x\/app:v1\.0\.0" of controller has no digest \[policy-image-digest\]/,
    },
    {
      name: 'sources, before anything is read',
      in: 'sources: [registry.example.org]\n',
      want: /cannot use the package x\/app: .*policy\.yaml does not allow its source/,
    },
    {
      name: 'sources, those of images whose registry the request replaces',
      in: 'sources: [docker.io/x]\n',
      text: REQUEST.replace('"x/app:v1.0.0"', '"docker.io/x/app:v1.0.0", source: evil.example.org'),
      image: 'x/other:v1.0.0',
      want: /cannot use the image evil\.example\.org\/x\/other:v1\.0\.0 of docker.io\/x\/app:v1\.0\.0: .*policy\.yaml does not allow its source/,
    },
    {
      name: 'limits',
      in: 'limits: {packages: 1}\n',
      text: `${REQUEST}---\n${REQUEST.replaceAll('app', 'as')}`,
      want: /cannot use 2 packages: line 3 of \S*policy\.yaml allows 1/,
    },
    {
      name: 'the images of a record',
      in: 'reject: {imagesWithoutDigest: true}\n',
      text: RECORD,
      want: /team\/mine: Deployment \S+: the image "x\/mine:v1" of c has no digest/,
    },
    {
      name: 'sources, those of the images of a record',
      in: 'sources: [docker.io/y]\n',
      text: RECORD,
      want: /cannot use the image x\/mine:v1 of Package team\/mine: .*policy\.yaml does not allow its source/,
    },
    {
      name: 'sources, the names of images that are no names',
      in: 'sources: [docker.io/x]\n',
      text: RECORD.replace('x/mine:v1', 'docker.io/x/../y'),
      want: /cannot use the image docker\.io\/x\/\.\.\/y of Package team\/mine/,
    },
  ])('rejects by $name', async ({in: fields, want, text, image}) => {
    const {status, stdout, stderr} = await rendered(fields, text, image)
    expect({status, stdout, stderr}).toEqual({
      status: 4,
      stdout: '',
      stderr: expect.stringMatching(want),
    })
  })

  it('lets pass what it allows', async () => {
    const allowed = await rendered(
      'sources: [docker.io/x]\nrules:\n- {name: ours, expression: pkg.format == "stack"}\n',
    )
    expect(allowed).toMatchObject({status: 0, stdout: expect.stringContaining('kind: Deployment')})
    expect(await rendered('sources: [docker.io/x]\n', RECORD)).toMatchObject({status: 0})
  })
})
