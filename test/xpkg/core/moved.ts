import {afterAll, afterEach, beforeAll, describe, expect, it} from '@jest/globals'
import {spawn} from 'node:child_process'
import type {WatchEvent} from '../../../src/cluster/api/cluster-api.js'
import {asObject, asObjects, asText, type JsonObject} from '../../../src/yaml/json-value.js'
import {programCommand} from '../../built-program.js'
import {accepted, until} from '../../cluster/kube.js'
import {openApi} from '../../cluster/open-api.js'
import {crossplane} from '../../cluster/servers.js'
import {smallEnvironment} from '../../run-program.js'
import {type Core, TIMEOUT} from './describe-core.js'
import {guideCommands, readable} from './guide-commands.js'
import {fail, succeed} from './package-commands.js'
import {type AuthoredPackage, publish} from './published-packages.js'
import {type StandInControllers, standInControllers} from './stand-in-controllers.js'
import {setVariable} from '../../set-variable.js'
import {random} from '../../shuffled.js'
import {below, pick} from '../../soak/campaign.js'

/** Flags of a move that was begun. */
const LEFT = ['--yes', '--timeout', '120s']
const FLAGS = ['--core-version', `v${crossplane.version}`, ...LEFT]
const PROVIDERS = '/apis/pkg.crossplane.io/v1/providers'
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const BASE = {apiVersion: 'core.example.org/v1', kind: 'Base'}
const MINE = {...BASE, metadata: {name: 'mine', annotations: {'crossplane.io/external-name': 'theirs'}}}

/** The changes of a move with a Configuration, without an ImageConfig that exists. */
const CHANGES = 7
/** How many times a move is killed at random moments, besides after each of its changes. */
const KILLS = 8
/** Milliseconds that most steps of a move take. */
const LONGEST_LIFE = 6000
/** Other moments in a soak with another seed. */
const SEED = Number(process.env.SOAK_SEED ?? 0)
const WAYS = ['--continue', '--back']

/** Defines the tests of `package move`; the soak has more kills. */
export function testMoves(core: () => Core, temporary: string, kills = KILLS): void {
  // A process of the program is killed. It is built before servers start: connections end while nothing reads them.
  programCommand()
  const at = (path: string, tag = '') => `${core().host}/${path}${tag && `:${tag}`}`
  const kube = () => core().cluster.kube
  const inGuide = (section: string) => guideCommands('docs/moving.md', section, core().host)
  const request = (kind: string, name: string, reference: string, spec: JsonObject = {}) => ({
    apiVersion: 'pkg.crossplane.io/v1',
    ...{kind, metadata: {name}},
    spec: {package: reference, ...spec},
  })
  const lineOf = (name: string, reference: string) => `Provider ${name} ${reference}`

  /** The requests and the Lock once all are healthy, and these among them. */
  const settled = async (...lines: readonly string[]) => {
    const {healthy, others, lock} = await core().settled(
      state => state.others.length === 0 && lines.every(line => state.healthy.includes(line)),
    )
    return {healthy, others, lock: lock.map(line => line.split(' ')[2])}
  }
  const expectOnly = async (...lines: readonly string[]) => {
    const {healthy, others, lock} = await settled(...lines)
    expect({healthy, others}).toEqual({healthy: [...lines].sort(), others: []})
    expect(lock).toHaveLength(lines.length)
  }

  const started: StandInControllers[] = []
  /** Creates a custom resource, runs controllers, and returns what checks that nothing was lost or made twice. */
  const watched = async (...kinds: readonly string[]) => {
    const controllers = standInControllers(core().cluster, ['Base', ...kinds])
    started.push(controllers)
    await until(
      () => kube().apply(MINE, {force: true}),
      ({code}) => code < 300,
    )
    const read = async () => {
      const {uid, annotations} = asObject(accepted(await kube().get(MINE)).metadata)
      const crds = asObjects(accepted(await kube().send('GET', CRDS)).items).map(crd =>
        asObject(crd.metadata),
      )
      const own = crds.filter(({name}) => asText(name).endsWith('.core.example.org'))
      return [uid, annotations, own.map(crd => `${asText(crd.name)} ${asText(crd.uid)}`)]
    }
    const before = await read()
    const events: WatchEvent[] = []
    const ended = new AbortController()
    const watching = (async () => {
      for await (const event of openApi(core().cluster).watch(BASE, {signal: ended.signal}))
        events.push(event)
    })().catch(() => undefined)
    return async () => {
      await controllers.expectOneEach()
      expect(await read()).toEqual(before)
      ended.abort()
      await watching
      expect(events.map(({type}) => type)).toContain('ADDED')
      expect(events.filter(({type}) => type === 'DELETED')).toEqual([])
    }
  }
  const apply = async (...objects: readonly ReturnType<typeof request>[]) => {
    for (const object of objects) await core().apply(object)
    await settled(...objects.map(({kind, metadata, spec}) => `${kind} ${metadata.name} ${spec.package}`))
  }

  describe('a package that moves', () => {
    let before: string | undefined
    beforeAll(async () => {
      before = process.env.KUBECONFIG
      process.env.KUBECONFIG = core().cluster.kubeconfig
      const version = (path: string, more: Partial<AuthoredPackage> = {}): AuthoredPackage => ({
        ...{repository: at(path), tag: 'v1.0.0', kind: 'Provider', requires: [], defines: 'Base'},
        ...more,
      })
      const requires = (path: string, kind = 'Provider') => ({
        requires: [{kind, repository: at(path), version: '>=v1.0.0'}],
      })
      const member = (path: string, name: string, kind: string) =>
        version(`${path}/${name}`, {defines: kind, ...requires(`${path}/family`)})
      const family = (path: string) => [
        version(`${path}/family`),
        member(path, 'one', 'One'),
        member(path, 'two', 'Two'),
        member(path, 'three', 'Three'),
      ]
      await publish(temporary, [
        version('market/sql'),
        version('community/sql'),
        version('other/sql', {tag: 'v1.1.0'}),
        version('other/sql', {tag: 'v2.0.0', crdVersion: 'v2'}),
        version('other/sql', {tag: 'v3.0.0', defines: 'Another'}),
        ...[
          ['market', 'v1.0.0'] as const,
          ['market', 'v1.1.0'] as const,
          ['community', 'v2.0.0'] as const,
        ].map(([path, tag]) =>
          version('market/app', {
            ...{tag, kind: 'Configuration', defines: undefined},
            ...requires(`${path}/sql`),
          }),
        ),
        ...family('old'),
        ...family('new'),
      ])
    }, TIMEOUT)
    afterEach(async () => {
      for (const controllers of started.splice(0)) await controllers.stop()
    }, TIMEOUT)
    afterAll(() => {
      setVariable('KUBECONFIG', before)
    })

    it(
      'comes from another repository, as the same bytes and as another build',
      async () => {
        await apply(request('Provider', 'market-sql', at('market/sql', 'v1.0.0')))
        const expectSame = await watched()
        const [preview, move] = inGuide('Move a package')
        const {stdout} = await succeed(...preview!.words, ...FLAGS)
        expect(readable(stdout, core().host)).toBe(preview!.output)
        await expectOnly(lineOf('market-sql', at('market/sql', 'v1.0.0')))
        await succeed(...move!.words, ...FLAGS)
        await expectOnly(lineOf('community-sql', at('community/sql', 'v1.0.0')))

        const lost = await fail('move', 'community-sql', at('other/sql', 'v3.0.0'), ...FLAGS)
        expect(lost.status).toBe(5)
        expect(lost.errors[0]).toContain('the new package does not have bases.core.example.org')
        const unstored = await fail('move', 'community-sql', at('other/sql', 'v2.0.0'), ...FLAGS)
        expect(unstored.status).toBe(5)
        await expectOnly(lineOf('community-sql', at('community/sql', 'v1.0.0')))

        await succeed('move', 'community-sql', at('other/sql', 'v1.1.0'), '--name', 'mine', ...FLAGS)
        await expectOnly(lineOf('mine', at('other/sql', 'v1.1.0')))
        await expectSame()
      },
      TIMEOUT,
    )

    it(
      'gets the name that Crossplane derives, while another package requires it',
      async () => {
        await apply(request('Provider', 'my-sql', at('market/sql', 'v1.0.0')))
        await apply(request('Configuration', 'market-app', at('market/app', 'v1.0.0')))
        const expectSame = await watched()
        const elsewhere = await fail('move', 'my-sql', at('community/sql'), ...FLAGS)
        expect(elsewhere.status).toBe(5)
        expect(elsewhere.errors[0]).toContain(`${at('market/app')} requires ${at('market/sql')}`)
        const {stderr} = await succeed(...inGuide('Another name')[0]!.words, ...FLAGS)
        expect(stderr).toContain(`the Lock of Crossplane has ${at('market/sql')} twice`)
        await expectOnly(
          `Configuration market-app ${at('market/app', 'v1.0.0')}`,
          lineOf('market-sql', at('market/sql', 'v1.0.0')),
        )
        const everyday = await fail('move', 'market-sql', at('market/sql'), '--name', 'my-sql', ...FLAGS)
        expect(everyday.status).toBe(5)
        const application = await fail('move', 'market-app', at('community/app'), ...FLAGS)
        expect(application.errors[0]).toContain('only Providers can move')
        await expectSame()
      },
      TIMEOUT,
    )

    it(
      'moves with the Configuration that Crossplane installed it for',
      async () => {
        const app = (tag: string) => `Configuration market-app ${at('market/app', tag)}`
        await core().apply(request('Configuration', 'market-app', at('market/app', 'v1.0.0')))
        await settled(app('v1.0.0'), lineOf('market-sql', at('market/sql', 'v1.0.0')))
        const expectSame = await watched()
        const to = ['move', 'market-sql', at('community/sql'), ...FLAGS]
        const alone = await fail(...to)
        expect(alone.status).toBe(5)
        expect(alone.errors.join('\n')).toContain(
          `Try: Pass a version that requires ${at('community/sql')}: --with market-app:TAG`,
        )
        const same = await fail(...to, '--with', 'market-app:v1.1.0')
        expect(same.status).toBe(5)
        expect(same.errors.join('\n')).toContain(
          `${at('market/app', 'v1.1.0')} requires ${at('market/sql')}: Crossplane`,
        )
        await expectOnly(app('v1.0.0'), lineOf('market-sql', at('market/sql', 'v1.0.0')))
        await succeed(...inGuide('A Configuration that requires it')[0]!.words, ...FLAGS)
        await expectOnly(app('v2.0.0'), lineOf('community-sql', at('community/sql', 'v1.0.0')))
        await expectSame()
      },
      TIMEOUT,
    )

    it(
      'takes the members of its family with it, also those that Crossplane requested itself',
      async () => {
        const names = ['one', 'two', 'three']
        // Crossplane requests the family for them.
        await apply(...names.map(name => request('Provider', `old-${name}`, at(`old/${name}`, 'v1.0.0'))))
        const expectSame = await watched('One', 'Two', 'Three')
        const alone = await fail('move', 'old-family', at('new/family'), ...FLAGS)
        expect(alone.status).toBe(5)
        expect(alone.errors.join('\n')).toContain('--family')
        await succeed(...inGuide('A family')[0]!.words, ...FLAGS)
        await expectOnly(
          ...['family', ...names].map(name => lineOf(`new-${name}`, at(`new/${name}`, 'v1.0.0'))),
        )
        await expectSame()
      },
      TIMEOUT,
    )

    it(
      'is continued and undone from each step, with a Configuration that requires it',
      async () => {
        await core().apply(request('Configuration', 'market-app', at('market/app', 'v1.0.0')))
        const one = await moving(withApp)
        // Where there is time, both ways are tried after each change.
        const steps = (CHANGES + 1) * (kills > KILLS ? 2 : 1)
        const ended: number[] = []
        for (let step = 0; step < steps; step += 1) {
          if (!(await isKilled(one.command(), {change: step % (CHANGES + 1)}))) ended.push(step)
          await one.finished(step % 2 === 1)
        }
        process.stderr.write(`killed ${steps - ended.length} of ${steps} moves with a Configuration\n`)
        // Those after the last change can end first on a fast machine.
        expect(ended.filter(step => step % (CHANGES + 1) < CHANGES - 1)).toEqual([])
        await one.expectSame()
      },
      TIMEOUT + kills * 60_000,
    )

    it(
      `is continued and undone from random moments (seed ${SEED})`,
      async () => {
        await apply(request('Provider', 'market-sql', at('market/sql', 'v1.0.0')))
        const one = await moving(alone)
        const next = random(SEED * 1009 + kills)
        let killed = 0
        let life = LONGEST_LIFE
        for (let run = 0; killed < kills && run < 4 * kills; run += 1) {
          // What was killed goes on in either direction, and is killed again.
          const command = (await isBegun()) ? ['package', 'move', pick(next, WAYS), ...LEFT] : one.command()
          const isEarly = await isKilled(command, {after: below(next, life)})
          if (isEarly) killed += 1
          // The last steps can end first.
          life = isEarly ? LONGEST_LIFE : life / 2
          if (run % 4 === 3 || killed === kills) await one.finished(below(next, 2) === 0)
        }
        process.stderr.write(`killed ${killed} moves at random moments\n`)
        expect(killed).toBe(kills)
        // On a slow machine, none of them may have come to a change.
        await one.moved()
        await one.expectSame()
      },
      TIMEOUT + kills * 60_000,
    )
  })

  /** A package that moves between two places, with all that moves with it. */
  interface Scenario {
    readonly flags: (to: string) => readonly string[]
    readonly others: (place: string) => readonly string[]
  }
  const alone: Scenario = {flags: () => [], others: () => []}
  const tagFor = (place: string) => (place === 'market' ? 'v1.0.0' : 'v2.0.0')
  const withApp: Scenario = {
    flags: to => ['--with', `market-app:${tagFor(to)}`],
    others: place => [`Configuration market-app ${at('market/app', tagFor(place))}`],
  }

  const isBegun = async () =>
    asObjects(accepted(await kube().send('GET', PROVIDERS)).items).some(
      ({metadata}) => 'kubectl-crossplane/move' in asObject(asObject(metadata).annotations),
    )

  /** The package at its first place, with custom resources that are watched. */
  const moving = async ({flags, others}: Scenario) => {
    const linesAt = (place: string) => [
      ...others(place),
      lineOf(`${place}-sql`, at(`${place}/sql`, 'v1.0.0')),
    ]
    await settled(...linesAt('market'))
    const expectSame = await watched()
    let [from, to] = ['market', 'community']
    return {
      expectSame,
      async moved() {
        const words = ['move', `${from}-sql`, at(`${to}/sql`), ...flags(to), ...FLAGS]
        await succeed(...words)
        ;[from, to] = [to, from]
        await expectOnly(...linesAt(from))
      },
      command: () => ['package', 'move', `${from}-sql`, at(`${to}/sql`), ...flags(to), ...FLAGS],
      /** Goes on, or back if that is possible, to the end, and expects nothing but the package in one of its places. */
      async finished(isBack: boolean) {
        const wasBegun = await isBegun()
        const [onward, back] = inGuide('Interrupted moves')
        await succeed(...(isBack ? back : onward)!.words, ...LEFT)
        const left = asObjects(accepted(await kube().send('GET', PROVIDERS)).items).map(({metadata}) =>
          asText(asObject(metadata).name),
        )
        const isMoved = wasBegun ? !isBack : left.includes(`${to}-sql`)
        if (isMoved) [from, to] = [to, from]
        await expectOnly(...linesAt(from))
      },
    }
  }

  /** Ends a process of the program after its change of a number, or milliseconds after its first line; reports whether it still ran. */
  const isKilled = async (
    args: readonly string[],
    when: {readonly change: number} | {readonly after: number},
  ) => {
    const [command, words] = programCommand(...args)
    const env = {...smallEnvironment(), KUBECONFIG: core().cluster.kubeconfig}
    const child = spawn(command, [...words], {env, stdio: ['ignore', 'ignore', 'pipe']})
    const ended = new Promise<boolean>(resolve =>
      child.once('close', (_code, signal) => {
        resolve(signal === 'SIGKILL')
      }),
    )
    let changes = 0
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      // From its first line on: how long the program takes to start says nothing.
      if ('after' in when) timer ??= setTimeout(() => child.kill('SIGKILL'), when.after)
      changes += text.match(/ (?:created|configured|deleted)\n/g)?.length ?? 0
      if ('change' in when && changes > when.change) child.kill('SIGKILL')
    })
    let timer: ReturnType<typeof setTimeout> | undefined
    try {
      return await ended
    } finally {
      clearTimeout(timer)
    }
  }
}
