import {describe, expect, it} from '@jest/globals'
import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {asObject, asObjects, asText, type JsonObject} from '../../src/yaml/json-value.js'
import {installName} from './locked-xpkgs.js'
import {API, objects, servedRequests} from './served-requests.js'

describe('packages of a cluster', () => {
  const cluster = servedRequests()

  it('that are rejected are named once', async () => {
    const {name, digests, request, apply} = cluster()
    const other = {skips: false, manager: 'kubectl'}
    const own = request('base', name('base:v1.0.0'), {digest: digests.base, ...other})
    request('app', name('app:v1.0.0'), {digest: digests.app, ...other})
    const {status, stdout, stderr} = await apply('--resolver=off', '--yes')
    expect({status, stdout}).toEqual({status: 5, stdout: ''})
    expect(stderr).toContain('2 rejected, 0 unchanged')
    expect(stderr.split(`Provider ${own} exists and was not created by this program`)).toHaveLength(2)
  })

  it('that are upgraded to a tag that does not exist name it alone, with the newest tags', async () => {
    const {name, digests, request, upgrade, publish} = cluster()
    publish('base', 'v1.1.0')
    request('base', name('base:v1.0.0'), {digest: digests.base, skips: false})
    request('app', name('app:v1.0.0'), {digest: digests.app, skips: false})
    const {status, stderr} = await upgrade(name('base:v9.0.0'))
    expect({status, stderr}).toEqual({
      status: 3,
      stderr: expect.stringContaining(`cannot resolve the dependencies of ${name('base')}: `),
    })
    expect(stderr).toContain('its repository has no tag v9.0.0; the newest it has: v1.1.0, v1.0.0')
  })

  it('that are requested by digest are requested by tag before the resolver has them again', async () => {
    const {name, digests, request, upgrade} = cluster()
    const requires = `${name('base')} >=v1.0.0`
    request('base', `${name('base')}@${digests.base}`, {digest: digests.base, skips: true})
    request('app', `${name('app')}@${digests.app}`, {digest: digests.app, skips: true, requires})
    const {status, stderr} = await upgrade('--resolver=on')
    expect({status, stderr}).toEqual({
      status: 5,
      stderr: expect.stringContaining(
        `others require ${name('base')} by version, which is requested by digest\n`,
      ),
    })
    const flags = '--pin=config --resolver=off'
    expect(stderr).toContain(`kubectl crossplane package upgrade REPOSITORY:TAG ${flags}`)
    expect(await upgrade(name('base:v1.0.0'), ...flags.split(' '))).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('1 to create, 1 to update, 1 unchanged'),
    })
    request('base', name('base:v1.0.0'), {digest: digests.base, skips: true})
    expect(await upgrade('--resolver=on')).toMatchObject({status: 0})
  })

  it.each(['', ':v1.0.0'])(
    'that skip the resolver by digest stay so, beside others with tags: base%s@…',
    async tag => {
      const {name, digests, request, upgrade} = cluster()
      const requires = `${name('base')} >=v1.0.0`
      request('base', `${name('base')}${tag}@${digests.base}`, {digest: digests.base, skips: true})
      const app = request('app', name('app:v1.0.0'), {digest: digests.app, skips: true, requires})
      const {status, stdout} = await upgrade('--resolver=off', '-o', 'json')
      const operations = asObjects(asObject(JSON.parse(stdout) as JsonObject).operations)
      const changed = operations.map(
        ({action, object}) => `${asText(action)} ${asText(asObject(object).name)}`,
      )
      // The ImageConfig of the tag, which this cluster does not have yet.
      expect({status, changed}).toEqual({status: 0, changed: [`apply ${app}-v1.0.0`]})
    },
  )

  it('that are paused, or left in the Lock, do not begin to skip the resolver', async () => {
    const {name, digests, request, upgrade} = cluster()
    request('base', name('base:v1.0.0'), {digest: digests.base, skips: false})
    const paused = {'crossplane.io/paused': 'true'}
    const app = request('app', name('app:v1.0.0'), {digest: digests.app, skips: false, annotations: paused})
    objects.set('locks/lock', {
      ...{apiVersion: 'pkg.crossplane.io/v1beta1', kind: 'Lock', metadata: {name: 'lock', uid: 'lock'}},
      packages: [
        {
          ...{name: `${app}-gone`, kind: 'Provider', source: name('app'), version: 'v0.9.0'},
          dependencies: [{kind: 'Provider', package: name('base'), constraints: '>=v0.9.0'}],
        },
      ],
    })
    const {status, stderr} = await upgrade('--resolver=off')
    expect({status, stderr}).toEqual({
      status: 5,
      stderr: expect.stringContaining(`provider/${app} is paused`),
    })
    expect(stderr).toContain(`Try: kubectl annotate provider.pkg.crossplane.io/${app} crossplane.io/paused-`)
    expect(stderr).toContain(`the Lock of Crossplane has ${app}-gone, which does not exist any more`)
    expect(stderr).toContain('Try: Remove this entry of the Lock: kubectl edit locks.pkg.crossplane.io lock')
  })

  it('do not wait for one that was not healthy before, and that they do not lead to', async () => {
    const {name, digests, request, upgrade, publish} = cluster()
    const idle = publish('idle', 'v1.0.0')
    publish('app', 'v1.1.0', {requires: {base: '>=v0.9.0'}})
    const apply = (skips: boolean) => {
      const requires = `${name('base')} >=v1.0.0`
      request('base', name('base:v1.0.0'), {digest: digests.base, skips})
      request('app', name('app:v1.0.0'), {digest: digests.app, skips, requires})
      return request('idle', name('idle:v1.0.0'), {digest: idle, skips, problem: 'no Deployment'})
    }
    const waitsOf = async (...words: readonly string[]) => {
      const {status, stdout, stderr} = await upgrade(...words, '-o', 'json')
      expect({status, stderr: status === 0 ? '' : stderr}).toEqual({status: 0, stderr: ''})
      const operations = asObjects(asObject(JSON.parse(stdout) as JsonObject).operations)
      const waits = operations
        .filter(({action}) => action === 'wait')
        .map(({object}) => asObject(object).name)
      const waitedInLock = operations.map(({precondition}) => asObject(precondition).revision)
      return {waits, waitedInLock, stderr}
    }
    const broken = apply(false)
    const skipping = await waitsOf('--resolver=off')
    expect(skipping.waits).toEqual([installName(name('base')), installName(name('app'))])
    expect(skipping.stderr).toContain(`provider/${broken} is not healthy, and is not waited for`)
    apply(true)
    const upgraded = await waitsOf(name('app:v1.1.0'))
    expect(upgraded.waits).toEqual([installName(name('app'))])
    expect(upgraded.stderr).toContain(`provider/${broken} is not healthy, and is not waited for`)
    // It never enters the Lock, also not where an earlier run has changed its request.
    const revision = `${broken}-${idle.slice(7, 19)}`
    objects.set(`providerrevisions/${revision}`, {
      ...{apiVersion: API, kind: 'ProviderRevision'},
      metadata: {name: revision, uid: revision, labels: {'pkg.crossplane.io/package': broken}},
      spec: {desiredState: 'Active', image: name('idle:v1.0.0'), revision: 1},
    })
    for (const skips of [true, false]) {
      apply(skips)
      const resolved = await waitsOf('--resolver=on')
      expect(resolved.waits.filter(waited => waited === broken)).toEqual([])
      expect(resolved.waitedInLock).not.toContain(revision)
      expect(resolved.stderr).toContain(`provider/${broken} is not healthy, and is not waited for`)
    }
    apply(true)
    // What is named itself is waited for.
    expect((await waitsOf(name('idle:v1.0.0'))).waits).toEqual([broken])
  })

  it('do not wait for one that a declaration takes over as broken or paused', async () => {
    const {name, digests, request, upgrade, publish, declare, run, root} = cluster()
    const [broken, paused] = [publish('broken', 'v1.0.0'), publish('paused', 'v1.0.0')]
    publish('paused', 'v1.1.0')
    publish('app', 'v1.1.0')
    const others = {skips: false, manager: 'kubectl'}
    request('app', name('app:v1.0.0'), {digest: digests.app, ...others})
    request('base', name('base:v1.0.0'), {digest: digests.base, ...others})
    const ill = request('broken', name('broken:v1.0.0'), {
      digest: broken,
      ...others,
      problem: 'no Deployment',
    })
    const annotations = {'crossplane.io/paused': 'true'}
    const still = request('paused', name('paused:v1.0.0'), {digest: paused, ...others, annotations})
    const packages = ['app', 'base', 'broken', 'paused'].map(path => ({package: name(`${path}:v1.0.0`)}))
    declare(packages, {xpkg: {pin: 'tag'}})
    expect(await run('lock')).toMatchObject({status: 0})
    const flags = [
      '--declaration',
      join(root, 'crossplane-packages.yaml'),
      '--adopt',
      '--force-conflicts',
      '-o',
      'json',
    ]
    const {status, stdout, stderr} = await upgrade(name('app:v1.1.0'), ...flags)
    expect({status, stderr: status === 0 ? '' : stderr}).toEqual({status: 0, stderr: ''})
    const operations = asObjects(asObject(JSON.parse(stdout) as JsonObject).operations)
    const waits = operations.filter(({action}) => action === 'wait').map(({object}) => asObject(object).name)
    expect(waits).toEqual([installName(name('app')), installName(name('base'))])
    expect(stderr).toContain(`provider/${ill} is not healthy, and is not waited for`)
    expect(stderr).toContain(`provider/${still} is paused, and is not waited for`)
    // Its files would have a version that the cluster never gets.
    const refused = await upgrade(name('paused:v1.1.0'), ...flags)
    expect(refused.status).toBe(5)
    expect(refused.stderr).toContain(
      `provider/${still} is paused, so that Crossplane would not install v1.1.0`,
    )
    expect(refused.stderr).toContain(
      `kubectl annotate provider.pkg.crossplane.io/${still} crossplane.io/paused-`,
    )
  })

  it('do not wait for one that a declaration pauses, and wait for one that it resumes', async () => {
    const {name, request, upgrade, publish, declare, run, root} = cluster()
    const paused = {'crossplane.io/paused': 'true'}
    const digest = publish('paused', 'v1.0.0')
    publish('paused', 'v1.1.0')
    const entry = {package: name('paused:v1.0.0'), parameters: {paused: true}}
    const entries = async (...packages: readonly JsonObject[]) => {
      declare(packages, {xpkg: {pin: 'tag'}})
      expect(await run('lock')).toMatchObject({status: 0})
    }
    const file = join(root, 'crossplane-packages.yaml')
    const plan = async (text: string) => {
      const {status, stdout, stderr} = await upgrade(text, '--declaration', file, '-o', 'json')
      const operations = status === 0 ? asObjects(asObject(JSON.parse(stdout) as JsonObject).operations) : []
      return {status, stderr, actions: operations.map(({action}) => action)}
    }
    const own = request('paused', name('paused:v1.0.0'), {digest, skips: false})
    const isLeft = `provider/${own} is paused, and is not waited for`
    await entries(entry)
    // A pause that is added to a healthy package, and one of a package that is not there yet.
    const added = await plan(name('paused:v1.0.0'))
    expect(added).toMatchObject({status: 0, actions: ['apply'], stderr: expect.stringContaining(isLeft)})
    objects.clear()
    const fresh = await plan(name('paused:v1.0.0'))
    expect(fresh).toMatchObject({status: 0, stderr: expect.stringContaining(isLeft)})
    expect(fresh.actions).not.toContain('wait')
    expect(fresh.stderr).toContain('Try: Remove paused: true from its entry in the declaration.')
    // The declaration would pause it again together with the new version.
    for (const annotations of [undefined, paused]) {
      request('paused', name('paused:v1.0.0'), {digest, skips: false, ...(annotations && {annotations})})
      const refused = await plan(name('paused:v1.1.0'))
      expect(refused).toMatchObject({
        status: 5,
        stderr: expect.stringContaining(
          `provider/${own} is paused, so that Crossplane would not install v1.1.0`,
        ),
      })
      expect(refused.stderr).toContain('"Remove paused: true from its entry in the declaration."')
    }
    // What only this program paused goes with the line, also together with a new version.
    await entries({package: name('paused:v1.0.0')})
    request('paused', name('paused:v1.0.0'), {digest, skips: false, annotations: paused, pauses: true})
    for (const version of ['v1.0.0', 'v1.1.0']) {
      const {stderr, ...resumed} = await plan(name(`paused:${version}`))
      expect(resumed.status).toBe(0)
      expect(resumed.actions.slice(-2)).toEqual(['apply', 'wait'])
      expect(stderr).not.toContain('is paused')
    }
  })

  it('keep a paused one that is requested by the digest of the version, and reject another one', async () => {
    const {name, request, upgrade, publish, declare, run, root} = cluster()
    const digest = publish('paused', 'v1.0.0')
    publish('paused', 'v1.1.0', {requires: {base: '>=v1.0.0'}})
    const annotations = {'crossplane.io/paused': 'true'}
    const others = {skips: true, manager: 'kubectl', annotations}
    const own = request('paused', `${name('paused')}@${digest}`, {digest, ...others})
    // As an import writes it.
    const entry = {package: name(`paused:v1.0.0@${digest}`), parameters: {paused: true}}
    declare([entry], {xpkg: {pin: 'digest', resolver: 'off'}})
    expect(await run('lock')).toMatchObject({status: 0})
    const declaration = ['--declaration', join(root, 'crossplane-packages.yaml')]
    const flags = [...declaration, '--adopt', '--force-conflicts', '-o', 'json']
    const {status, stdout, stderr} = await upgrade(name('paused:v1.0.0'), ...flags)
    expect({status, stderr: status === 0 ? '' : stderr}).toEqual({status: 0, stderr: ''})
    const operations = asObjects(asObject(JSON.parse(stdout) as JsonObject).operations)
    expect(operations.map(({action}) => action)).toEqual(['apply'])
    expect(stderr).toContain(`provider/${own} is paused, and is not waited for`)
    expect(await upgrade(name('paused:v1.1.0'), ...flags)).toMatchObject({
      status: 5,
      stderr: expect.stringContaining(
        `provider/${own} is paused, so that Crossplane would not install v1.1.0`,
      ),
    })
  })

  it('do not wait for one that requires a paused one which is not installed', async () => {
    const {name, upgrade, declare, run, root} = cluster()
    const file = join(root, 'crossplane-packages.yaml')
    const paused = {package: name('base:v1.0.0'), parameters: {paused: true}}
    const waitsOf = async (xpkg: JsonObject) => {
      declare([paused, {package: name('app:v1.0.0')}], {xpkg})
      expect(await run('lock')).toMatchObject({status: 0})
      const {status, stdout, stderr} = await upgrade('--declaration', file, '-o', 'json')
      expect({status, stderr: status === 0 ? '' : stderr}).toEqual({status: 0, stderr: ''})
      const operations = asObjects(asObject(JSON.parse(stdout) as JsonObject).operations)
      const waits = operations.filter(({action}) => action === 'wait')
      return {waits: waits.map(({object}) => asObject(object).name), stderr}
    }
    const [app, base] = [installName(name('app')), installName(name('base'))]
    const isBlocked = `provider/${app} requires provider/${base}, which is paused and not installed, and is not waited for`
    const resolved = await waitsOf({pin: 'tag'})
    expect(resolved).toEqual({waits: [], stderr: expect.stringContaining(isBlocked)})
    // Without its resolver, Crossplane does not look for what a package requires.
    const {waits, stderr} = await waitsOf({pin: 'config', resolver: 'off'})
    expect(waits).toEqual([app])
    expect(stderr).not.toContain(isBlocked)
  })

  it('that a declaration has by digest stay fixed in a cluster that requests by tag', async () => {
    const {name, digests, request, upgrade, publish, declare, run, root} = cluster()
    publish('app', 'v1.1.0')
    declare([{package: `${name('app')}@${digests.app}`}, {package: name('base:v1.0.0')}])
    expect(await run('lock')).toMatchObject({status: 0})
    const planned = async (resolved: string, ...flags: readonly string[]) => {
      const base = request('base', name('base:v1.0.0'), {digest: digests.base, skips: false})
      const own = objects.get(`providers/${base}`)
      objects.set(`providers/${base}`, {
        ...own,
        status: {...asObject(own?.status), resolvedPackage: resolved},
      })
      request('app', `${name('app')}@${digests.app}`, {digest: digests.app, skips: false})
      const file = join(root, 'crossplane-packages.yaml')
      const words = [name('app:v1.1.0'), '--declaration', file, '-o', 'json', ...flags]
      const {status, stdout, stderr} = await upgrade(...words)
      expect({status, stderr: status === 0 ? '' : stderr}).toEqual({status: 0, stderr: ''})
      const operations = asObjects(asObject(JSON.parse(stdout) as JsonObject).operations)
      const [written] = operations.filter(({path}) => path === 'crossplane-packages.yaml')
      return asText(written?.content).includes('pin: config')
    }
    const [byTag, fixed] = [name('base:v1.0.0'), `${name('base')}@${digests.base}`]
    expect([await planned(byTag), await planned(fixed), await planned(fixed, '--pin=tag')]).toEqual([
      true,
      false,
      true,
    ])
  })

  it('of which one cannot be read say which, and what to do', async () => {
    const {name, digests, request, upgrade} = cluster()
    request('base', name('base:v1.0.0'), {digest: digests.base, skips: false})
    const unread = {digest: `sha256:${'0'.repeat(64)}`, skips: false}
    const gone = request('gone', name('gone:v1.0.0'), unread)
    for (const resolver of ['--resolver=off', '--resolver=on']) {
      const {status, stderr} = await upgrade(resolver)
      expect({status, stderr}).toEqual({
        status: 5,
        stderr: expect.stringContaining(
          `provider.pkg.crossplane.io/${gone} names a package that cannot be read`,
        ),
      })
      expect(stderr).toContain(`kubectl delete provider.pkg.crossplane.io/${gone} `)
      expect(stderr).not.toContain(installName(name('base')))
    }
  })

  it('that a declaration does not lead to are not upgraded by it', async () => {
    const {name, digests, request, upgrade, publish, root} = cluster()
    const other = publish('other', 'v1.0.0')
    publish('other', 'v1.1.0')
    publish('base', 'v1.1.0')
    const requires = `${name('base')} >=v1.0.0`
    const dependency = {annotations: {'kubectl-crossplane/requested-as': undefined}}
    request('base', name('base:v1.0.0'), {digest: digests.base, skips: true, ...dependency})
    request('app', name('app:v1.0.0'), {digest: digests.app, skips: true, requires})
    request('other', name('other:v1.0.0'), {digest: other, skips: true})
    const file = join(root, 'app-only.yaml')
    writeFileSync(
      file,
      `apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\npackages:\n- package: ${name('app')}\n`,
    )
    const {status, stderr} = await upgrade(name('other'), '--declaration', file)
    expect({status, stderr}).toEqual({
      status: 1,
      stderr: expect.stringContaining(`package "${name('other')}" not found in the declaration ${file}`),
    })
    expect(await upgrade(name('base'), '--declaration', file)).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('v1.1.0'),
    })
  })
})
