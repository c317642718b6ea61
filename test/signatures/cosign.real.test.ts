import {afterEach, beforeAll, describe, expect, it} from '@jest/globals'
import {cpSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {schemaOf, schemaViolations} from '../json-schema.js'
import {describeReal} from '../real-parts.js'
import {dockerRegistries} from '../registry/docker-registry.js'
import {runCli} from '../run-cli.js'
import {keyHash} from '../../src/signatures/public-key.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {COUNTER, describeAttestedPush} from './attested-push.js'
import {describeBothRegistries} from './both-registries.js'
import {keyPair, missingCosign, PASSWORD, runCosign, WITHOUT_LOG} from './cosign.js'
import {describePushByProgram} from './push-by-program.js'
import {describePushByToken} from './push-by-token.js'
import {newKeys} from './signed-images.js'
import {setVariable} from '../set-variable.js'

const folder = temporaryFolder()

describeReal('signatures of cosign in docker-registry', missingCosign, () => {
  const start = dockerRegistries()
  let host = ''
  let keys = {key: '', pub: ''}
  let others = {key: '', pub: ''}
  beforeAll(async () => {
    ;({host} = await start())
    // Compiles the program, where it is run from its sources.
    await runCli('version')
    keys = await keyPair(join(folder, 'team'))
    others = await keyPair(join(folder, 'others'))
  }, 300_000)

  /** Pushes a package with content of its own and returns its pinned reference. */
  async function pushed(name: string): Promise<string> {
    const {status, stdout, stderr} = await runCli(
      'package',
      'push',
      `${host}/${name}:0.3.0`,
      COUNTER,
      '--no-lint',
    )
    expect({status, errors: status === 0 ? '' : stderr}).toEqual({status: 0, errors: ''})
    return stdout.trim()
  }
  const sign = (pinned: string, ...flags: readonly string[]) =>
    runCosign(folder, 'sign', '--key', keys.key, ...WITHOUT_LOG, ...flags, pinned)
  const verify = (reference: string, ...flags: readonly string[]) =>
    runCli('package', 'verify', reference, '--key', keys.pub, ...flags)

  describe.each([
    {name: 'a bundle that refers to the image', flags: []},
    {name: 'the tag of older versions', flags: ['--new-bundle-format=false']},
  ])('in $name', ({name, flags}) => {
    const repository = `team/${name.replaceAll(' ', '-')}`
    let pinned = ''
    beforeAll(async () => {
      pinned = await pushed(repository)
      await sign(pinned, ...flags)
    })

    it('are verified by their key', async () => {
      const {status, stdout} = await verify(`${host}/${repository}:0.3.0`, '-o', 'json')
      expect(status).toBe(0)
      expect(JSON.parse(stdout)).toMatchObject({
        kind: 'SignatureReport',
        packages: [
          {
            reference: pinned,
            statements: [{kind: 'signature', signer: {key: expect.stringMatching(/^sha256:[0-9a-f]{64}$/)}}],
          },
        ],
      })
    })

    it('are not of another key', async () => {
      const {status, stderr} = await runCli('package', 'verify', pinned, '--key', others.pub)
      expect({status, stderr}).toEqual({
        status: 4,
        stderr: expect.stringContaining('signature verification failed'),
      })
    })
  })

  it('are required', async () => {
    const pinned = await pushed('team/unsigned')
    expect(await verify(pinned)).toMatchObject({
      status: 4,
      stderr: expect.stringContaining('has no signature of a trusted signer'),
    })
  })

  it('are those of attestations as well, of both forms', async () => {
    const pinned = await pushed('team/attested')
    const predicate = join(folder, 'provenance.json')
    writeFileSync(
      predicate,
      JSON.stringify({
        buildDefinition: {
          buildType: 'https://example.org/build',
          externalParameters: {workflow: {repository: 'https://git.example.org/team/counter'}},
        },
        runDetails: {builder: {id: 'https://ci.example.org/builder'}},
      }),
    )
    const attest = [
      'attest',
      '--key',
      keys.key,
      ...WITHOUT_LOG,
      '--type',
      'slsaprovenance1',
      '--predicate',
      predicate,
    ]
    await runCosign(folder, ...attest, pinned)
    await runCosign(folder, ...attest, '--new-bundle-format=false', pinned)
    await sign(pinned)
    const {stdout} = await verify(pinned, '-o', 'json')
    const {packages} = JSON.parse(stdout) as {packages: [{statements: {kind: string}[]}]}
    const provenance = {
      kind: 'provenance',
      predicateType: 'https://slsa.dev/provenance/v1',
      builder: 'https://ci.example.org/builder',
      source: 'https://git.example.org/team/counter',
    }
    const statements = packages[0].statements.filter(({kind}) => kind === 'provenance')
    expect(statements).toEqual([expect.objectContaining(provenance), expect.objectContaining(provenance)])
  })

  describe('as a policy requires', () => {
    const policy = join(folder, 'policy.yaml')
    const rule = (more = '') => {
      writeFileSync(
        policy,
        `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: Policy
signatures:
- repositories: [${host}/team]
  signers:
  - keyFile: team/cosign.pub
${more}`,
      )
    }
    const render = (pinned: string) =>
      runCli('package', 'render', pinned, '--policy', policy, '--no-cache', '--namespace', 'a', '-o', 'name')

    it('are verified before a package is read', async () => {
      rule()
      const pinned = await pushed('team/required')
      expect(await render(pinned)).toMatchObject({
        status: 4,
        stderr: expect.stringMatching(/policy\.yaml:4: .* has no signature of a trusted signer/),
      })
      await sign(pinned)
      expect(await render(pinned)).toMatchObject({status: 0})
    })

    it('are verified by hand by its rules, and those of its images', async () => {
      rule()
      const pinned = await pushed('team/by-hand')
      const verifyBy = (reference: string, ...flags: readonly string[]) =>
        runCli('package', 'verify', reference, '--policy', policy, '--no-cache', ...flags)
      expect(await verifyBy(pinned)).toMatchObject({status: 4, stdout: expect.stringContaining('rejected')})
      await sign(pinned)
      const {status, stdout} = await verifyBy(pinned)
      expect({status, stdout}).toEqual({status: 0, stdout: expect.stringMatching(/verified +signature +key/)})
      writeFileSync(join(folder, 'others.pub'), newKeys().pem)
      expect(await verifyBy(pinned, '--key', join(folder, 'others.pub'))).toMatchObject({status: 4})
      expect(await verifyBy(await pushed('elsewhere/by-hand'))).toMatchObject({
        status: 0,
        stderr: expect.stringContaining('nothing was verified'),
      })
    })

    it('are required of packages of other repositories only by their rules', async () => {
      rule()
      expect(await render(await pushed('elsewhere/app'))).toMatchObject({status: 0})
    })

    it('are only warned of where the rule says so', async () => {
      rule('  otherwise: warn\n')
      const {status, stderr} = await render(await pushed('team/warned'))
      expect({status, stderr}).toEqual({status: 0, stderr: expect.stringContaining('[signature-missing]')})
    })

    it('include provenance of a builder and a source', async () => {
      const pinned = await pushed('team/built')
      const predicate = join(folder, 'built.json')
      const builder = {id: 'https://ci.example.org/builder'}
      writeFileSync(predicate, JSON.stringify({buildDefinition: {}, runDetails: {builder}}))
      const attest = ['attest', '--key', keys.key, ...WITHOUT_LOG, '--type', 'slsaprovenance1']
      await runCosign(folder, ...attest, '--predicate', predicate, pinned)
      rule('  require: [provenance]\n  builder: https://ci.example.org/*\n')
      expect(await render(pinned)).toMatchObject({status: 0})
      rule('  require: [provenance]\n  builder: https://ci.example.org/*/*\n')
      expect(await render(pinned)).toMatchObject({
        status: 4,
        stderr: expect.stringContaining('[provenance-other]'),
      })
    })
  })

  /** The statuses in a report, by reference; validates the report. */
  function statuses(stdout: string): Record<string, string> {
    const report = JSON.parse(stdout) as Record<'packages' | 'images', {reference: string; status: string}[]>
    expect(schemaViolations(schemaOf('signature-report'), report)).toEqual([])
    return Object.fromEntries(
      [...report.packages, ...report.images].map(({reference, status}) => [reference, status]),
    )
  }

  describe('in a lock', () => {
    const team = join(folder, 'locked')
    const at = (...words: readonly string[]) =>
      runCli('package', ...words, '--declaration', join(team, 'crossplane-packages.yaml'))
    let images: readonly string[] = []
    let pinned = ''
    beforeAll(async () => {
      images = [await pushed('images/init'), await pushed('images/main')]
      const install = `apiVersion: apps/v1
kind: Deployment
spec:
  selector: {}
  template:
    spec:
      initContainers: [{name: init, image: "${host}/images/init:0.3.0"}]
      containers: [{name: main, image: "${images[1] ?? ''}"}]
`
      cpSync(COUNTER, join(team, 'package'), {recursive: true})
      writeTree(team, {
        'package/.registry/install.yaml': install,
        'policy.yaml': `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: Policy
signatures:
- repositories: [${host}/team/locked, ${host}/images]
  signers:
  - keyFile: ${keys.pub}
  - keyFile: ${others.pub}
`,
        'crossplane-packages.yaml': `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: PackageDeclaration
policy: policy.yaml
packages:
- {package: "${host}/team/locked:0.3.0", namespace: a}
`,
      })
      pinned = (
        await runCli('package', 'push', `${host}/team/locked:0.3.0`, join(team, 'package'), '--no-lint')
      ).stdout.trim()
    })
    const cache = ['--cache-dir', join(team, 'cache')]

    it('are required of the images that a package runs', async () => {
      await sign(pinned)
      for (const image of images) {
        expect(await at('lock', ...cache)).toMatchObject({
          status: 4,
          stderr: expect.stringMatching(
            /as required by line 4 of \S+ \(the image is run by \S+\/team\/locked:0\.3\.0\)\n.*images\/(?:init|main)@sha256:\w+ has no signature of a trusted signer/,
          ),
        })
        const {status, stdout, stderr} = await at('verify', '-o', 'json', ...cache)
        expect({status, stderr}).toEqual({status: 4, stderr: expect.stringContaining('signature-refused')})
        expect(statuses(stdout)).toMatchObject({[pinned]: 'verified', [image]: 'rejected'})
        await sign(image)
      }
      expect(await at('lock', ...cache)).toMatchObject({status: 0})
      const {status, stdout} = await at('verify', '-o', 'json', ...cache)
      const all = [pinned, ...images].map(reference => [reference, 'verified'] as const)
      expect({status, found: statuses(stdout)}).toEqual({status: 0, found: Object.fromEntries(all)})
    })

    it('are recorded, so that --locked with --trust-lock needs neither them nor a network', async () => {
      const {status, stdout} = await at('render', '--locked', '--trust-lock', '--offline', ...cache)
      expect(status).toBe(0)
      // A tag could be moved before a node pulls it.
      for (const image of images) expect(stdout).toContain(`image: ${image}`)
      expect(await at('render', '--locked', '--offline', ...cache)).toMatchObject({status: 4})
      expect(await at('render', '--locked', ...cache)).toMatchObject({status: 0, stdout})
      expect(await at('render', '--offline', ...cache)).toMatchObject({status: 1})
    })

    it('are carried by a bundle, and verified in it and in its mirror', async () => {
      const bundle = join(team, 'packages.tar')
      const created = await runCli(
        ...[
          'bundle',
          'create',
          '--declaration',
          join(team, 'crossplane-packages.yaml'),
          '-o',
          bundle,
          ...cache,
        ],
      )
      expect(created).toMatchObject({status: 0, stdout: expect.stringContaining('with 3 signatures')})
      const verified = await runCli(
        ...['package', 'verify', bundle, '--policy', join(team, 'policy.yaml'), '--offline', '-o', 'json'],
      )
      expect({...verified, stdout: statuses(verified.stdout)}).toMatchObject({
        ...{status: 0, stdout: Object.fromEntries([pinned, ...images].map(image => [image, 'verified']))},
      })
      expect(await runCli('package', 'verify', bundle, '--key', others.pub)).toMatchObject({status: 4})
      const [lock, empty] = [join(team, 'bundled.lock'), join(team, 'empty')]
      const offline = ['--packages', bundle, '--offline', '--cache-dir', empty]
      expect(await at('lock', '--lock-file', lock, ...offline)).toMatchObject({status: 0})
      expect(readFileSync(lock, 'utf8').match(/predicateType/g)).toHaveLength(3)
      const pushedTo = await runCli('bundle', 'push', bundle, `${host}/mirror`, '-o', 'json')
      const {registries} = JSON.parse(pushedTo.stdout) as {registries: Record<string, string>}
      const copy = `${registries[host] ?? ''}/team/locked:0.3.0`
      expect(await verify(copy)).toMatchObject({status: 0})
      const flags = ['--key', keys.pub, '--insecure-ignore-tlog', '--allow-http-registry']
      expect(await runCosign(folder, 'verify', ...flags, copy)).toContain('docker-manifest-digest')
    })

    it('are compared: another signer is shown, and rejected where the lock has to hold', async () => {
      const unchanged = await at('lock', '--dry-run', '-o', 'json', ...cache)
      expect(JSON.parse(unchanged.stdout)).not.toHaveProperty('signers')
      const lock = join(team, 'crossplane-packages.lock')
      const before = readFileSync(lock, 'utf8')
      const {stdout: report} = await verify(pinned, '-o', 'json')
      const {packages} = JSON.parse(report) as {packages: [{statements: [{signer: {key: string}}]}]}
      const [{signer}] = packages[0].statements
      const other = keyHash(readFileSync(others.pub, 'utf8'))
      writeFileSync(lock, before.replaceAll(signer.key, other))
      const trusting = await at('render', '--locked', '--trust-lock', '-o', 'name', ...cache)
      expect(trusting).toMatchObject({status: 0})
      expect(await at('render', '--locked', '-o', 'name', ...cache)).toMatchObject({
        status: 3,
        stderr: expect.stringContaining('[signer-changed]'),
      })
      const {stdout} = await at('lock', '-o', 'json', ...cache)
      expect(JSON.parse(stdout)).toMatchObject({
        packages: [{package: `${host}/team/locked`, change: 'signatures'}],
        signers: expect.arrayContaining([
          {
            package: `${host}/team/locked`,
            predicateType: 'https://sigstore.dev/cosign/sign/v1',
            before: [{key: other}],
            after: [signer],
            isAssigned: false,
          },
        ]),
      })
      expect(readFileSync(lock, 'utf8')).toBe(before)
    })
  })

  describe('of package push', () => {
    const push = (reference: string, key: string, password: string | undefined) => {
      setVariable('COSIGN_PASSWORD', password)
      return runCli('package', 'push', reference, COUNTER, '--no-lint', '--sign-key', key)
    }
    afterEach(() => {
      delete process.env.COSIGN_PASSWORD
    })
    const cosignVerify = (pinned: string, key: string) =>
      runCosign(folder, 'verify', '--key', key, '--insecure-ignore-tlog', '--allow-http-registry', pinned)

    it('are verified by cosign, and made once', async () => {
      const reference = `${host}/pushed/app:0.3.0`
      const {status, stdout} = await push(reference, keys.key, PASSWORD)
      expect(status).toBe(0)
      expect(await cosignVerify(stdout.trim(), keys.pub)).toContain('docker-manifest-digest')
      await push(reference, keys.key, PASSWORD)
      const {stdout: report} = await verify(reference, '-o', 'json')
      expect((JSON.parse(report) as {packages: [{statements: []}]}).packages[0].statements).toHaveLength(1)
    })

    it('stand beside those of cosign and of a key in PKCS#8', async () => {
      const pinned = await pushed('pushed/both')
      await sign(pinned)
      const {privateKey, pem} = newKeys()
      const [key, pub] = [join(folder, 'pkcs8.key'), join(folder, 'pkcs8.pub')]
      writeFileSync(key, privateKey.export({type: 'pkcs8', format: 'pem'}))
      writeFileSync(pub, pem)
      expect(await push(`${host}/pushed/both:0.3.0`, key, undefined)).toMatchObject({status: 0})
      await cosignVerify(pinned, pub)
      await cosignVerify(pinned, keys.pub)
    })

    describePushByProgram(() => ({host}))
    describePushByToken(() => ({host}))
    describeAttestedPush(() => ({folder, host, keys}))
    describeBothRegistries(() => ({folder, host, keys}))

    it.each([
      {
        name: 'the wrong password',
        password: 'wrong',
        want: {status: 1, stderr: expect.stringContaining('its password is wrong')},
      },
      {name: 'no password', password: undefined, want: {status: 2}},
    ])('are not made with $name, and nothing is pushed', async ({password, want}) => {
      const reference = `${host}/pushed/nothing:0.3.0`
      expect(await push(reference, keys.key, password)).toMatchObject(want)
      expect(await verify(reference)).toMatchObject({status: 1})
    })
  })
})
